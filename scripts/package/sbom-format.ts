/** What of CycloneDX 1.5 we write and rely on, checked as strictly as its own schema does. */
import { z } from 'zod'
import type { Finding } from './finding.ts'

const Reference = z.string().min(1)

const Component = z.looseObject({
  'bom-ref': Reference,
  type: z.enum(['application', 'framework', 'library', 'data', 'machine-learning-model', 'file']),
  name: z.string().min(1),
  version: z.string().min(1),
  scope: z.enum(['required', 'optional', 'excluded']).optional(),
  purl: z
    .string()
    .regex(/^pkg:npm\/(?:%40[\w.-]+\/)?[\w.-]+@[\w.+-]+$/)
    .optional(),
  licenses: z
    .array(
      z.union([
        z.strictObject({ license: z.looseObject({ id: z.string() }) }),
        z.strictObject({ license: z.looseObject({ name: z.string() }) }),
        z.strictObject({ expression: z.string() }),
      ]),
    )
    .optional(),
  hashes: z
    .array(z.strictObject({ alg: z.enum(['SHA-1', 'SHA-256', 'SHA-512']), content: z.hex() }))
    .optional(),
  properties: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
})
export type Component = z.infer<typeof Component>

const Bom = z.looseObject({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.literal('1.5'),
  serialNumber: z.string().regex(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/),
  version: z.int().positive(),
  metadata: z.looseObject({ timestamp: z.iso.datetime().optional(), component: Component }),
  components: z.array(Component),
  dependencies: z.array(z.strictObject({ ref: Reference, dependsOn: z.array(Reference).optional() })),
})
export type Bom = z.infer<typeof Bom>

export function readBom(text: string): Bom {
  return Bom.parse(JSON.parse(text))
}

/** What is wrong with it as a whole: names that stand twice, or for nothing. */
export function wrongInBom(text: string): Finding[] {
  const todo = 'see scripts/package/sbom.ts'
  const parsed = Bom.safeParse(JSON.parse(text))
  if (!parsed.success) return [{ wrong: `sbom.cdx.json: ${z.prettifyError(parsed.error)}`, todo }]
  const { metadata, components, dependencies } = parsed.data
  const references = [metadata.component, ...components].map((one) => one['bom-ref'])
  const known = new Set(references)
  const twice = references.filter((one, index) => references.indexOf(one) !== index)
  const pointed = dependencies.flatMap(({ ref, dependsOn = [] }) => [ref, ...dependsOn])
  const unlicensed = components.filter(({ licenses = [] }) => licenses.length === 0)
  return [
    ...twice.map((one) => `sbom.cdx.json lists ${one} twice`),
    ...pointed.filter((one) => !known.has(one)).map((one) => `sbom.cdx.json names ${one} without listing it`),
    ...unlicensed.map(({ name }) => `sbom.cdx.json has no licence of ${name}`),
  ].map((wrong) => ({ wrong, todo }))
}
