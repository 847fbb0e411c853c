import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type Part, readLock } from '../../scripts/package/parts.ts'
import { sbom } from '../../scripts/package/sbom.ts'
import { type Bom, type Component, readBom, wrongInBom } from '../../scripts/package/sbom-format.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const component = (name: string): Component => ({
  'bom-ref': `${name}@1.0.0`,
  type: 'library',
  name,
  version: '1.0.0',
  licenses: [{ license: { id: 'MIT' } }],
})

/** As npm writes it: the product, and two packages that come with it. */
const INSTALLED: Bom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  serialNumber: 'urn:uuid:18a028a1-0553-4259-ae26-c01dfecaa061',
  version: 1,
  metadata: { timestamp: '2026-01-01T00:00:00.000Z', component: component('ralph-memory') },
  components: [component('pg'), component('zod')],
  dependencies: [
    { ref: 'ralph-memory@1.0.0', dependsOn: ['pg@1.0.0', 'zod@1.0.0'] },
    { ref: 'pg@1.0.0', dependsOn: [] },
    { ref: 'zod@1.0.0', dependsOn: [] },
  ],
}

const bundled = (name: string): Part => ({
  ...{ name, version: '1.0.0', licence: 'MIT', texts: [], reach: 'bundled' },
})

describe('the list of parts', () => {
  const text = sbom(root, INSTALLED, [bundled('zod'), bundled('commander')])
  const bom = readBom(text)
  const reachOf = (name: string) =>
    bom.components.find((one) => one.name === name)?.properties?.map(({ value }) => value)

  it('has what is installed, what is bundled, and what is both, once each', () => {
    expect(wrongInBom(text)).toEqual([])
    expect(bom.components.map(({ name }) => name)).toEqual(['pg', 'zod', 'commander'])
    expect(['pg', 'zod', 'commander'].map(reachOf)).toEqual([
      ['installed'],
      ['installed', 'bundled'],
      ['bundled'],
    ])
  })

  it('says that the product stands on all of them', () => {
    expect(bom.dependencies[0]!.dependsOn).toEqual(['pg@1.0.0', 'zod@1.0.0', 'commander@1.0.0'])
  })

  it('is the same for the same parts, whenever it is made, and another for others', () => {
    const later = { ...INSTALLED, metadata: { ...INSTALLED.metadata, timestamp: '2027-01-01T00:00:00.000Z' } }
    const again = sbom(root, { ...later, serialNumber: INSTALLED.serialNumber.replace('18', '19') }, [
      bundled('zod'),
      bundled('commander'),
    ])
    expect(again).toBe(text)
    const other = readBom(sbom(root, INSTALLED, [bundled('zod')]))
    expect(other.serialNumber).not.toBe(bom.serialNumber)
  })

  it('has the checksum of what the lock has', () => {
    const { version } = readLock(root).packages['node_modules/commander']!
    const made = readBom(sbom(root, INSTALLED, [{ ...bundled('commander'), version }]))
    const { purl, hashes } = made.components.at(-1)!
    expect(purl).toBe(`pkg:npm/commander@${version}`)
    expect(hashes?.[0]?.content).toMatch(/^[0-9a-f]{128}$/)
  })
})

describe('a list that is wrong', () => {
  const wrong = (change: (bom: Bom) => void) => {
    const bom = structuredClone(INSTALLED)
    change(bom)
    return wrongInBom(JSON.stringify(bom)).map((one) => one.wrong)
  }

  it('is told from one that is right', () => {
    expect(wrong(() => undefined)).toEqual([])
  })

  it.each<[string, (bom: Bom) => void, string]>([
    ['a part twice', (bom) => bom.components.push(component('pg')), 'lists pg@1.0.0 twice'],
    ['a part that is not there', (bom) => bom.components.pop(), 'names zod@1.0.0 without listing it'],
    ['no licence', (bom) => delete bom.components[0]!.licenses, 'has no licence of pg'],
    ['an unknown kind', (bom) => Object.assign(bom.components[0]!, { type: 'librari' }), 'type'],
    ['no number', (bom) => Object.assign(bom, { serialNumber: 'urn:uuid:1' }), 'serialNumber'],
  ])('has %s', (_, change, told) => {
    expect(wrong(change).join('\n')).toContain(told)
  })
})
