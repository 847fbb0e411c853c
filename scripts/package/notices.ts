/**
 * Before anything is packed (npm calls it for `npm pack` and `npm publish`): writes THIRD_PARTY_LICENSES and sbom.cdx.json
 * into the root, and refuses a licence that is not allowed.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Checked, report } from './finding.ts'
import { ALLOWED, ALLOWED_FOR_TOOLS, forbiddenLicences } from './licences.ts'
import { LICENCES_PAGE, licencesPage, withoutText } from './licences-page.ts'
import { root } from './npm.ts'
import { type Part, partBeside, partsInside, readLock } from './parts.ts'
import { installedParts, SBOM, sbom } from './sbom.ts'
import { wrongInBom } from './sbom-format.ts'

export async function writeNotices(): Promise<Checked> {
  const installed = await installedParts(root)
  const inside = partsInside(root)
  const beside = installed.components.map(({ name, version }) => partBeside(root, name, version))
  const text = sbom(root, installed, inside)
  writeFileSync(join(root, SBOM), text)
  writeFileSync(join(root, LICENCES_PAGE), licencesPage([...inside, ...beside]))
  const tools = lockedParts()
  return {
    said: `licences: ${inside.length} parts inside, ${beside.length} installed with it, ${tools.length} in development, all allowed`,
    found: [
      ...forbiddenLicences([...inside, ...beside], ALLOWED),
      ...forbiddenLicences(tools, ALLOWED_FOR_TOOLS),
      ...withoutText(inside).map(({ name }) => ({
        wrong: `${name} is shipped and brings no licence text`,
        todo: 'name a file that has it in scripts/package/parts.ts',
      })),
      ...wrongInBom(text),
    ],
  }
}

/** Everything that development may install, on any platform. */
function lockedParts(): Pick<Part, 'name' | 'version' | 'licence'>[] {
  return Object.entries(readLock(root).packages)
    .filter(([path]) => path !== '')
    .map(([path, { version, license = '' }]) => ({
      name: path.replace(/^.*node_modules\//, ''),
      version,
      licence: license,
    }))
}

// Not import.meta.main, which Node 22 does not have.
if (process.argv[1] === fileURLToPath(import.meta.url) && !report(await writeNotices())) process.exitCode = 1
