import { installedSpec, installForGood } from '../installation.ts'
import type { Surroundings } from '../surroundings.ts'
import type { SetupOffer } from './offer.ts'

/** For whoever came by npx: hooks and the shell find no `ralph` tomorrow. */
export function offerInstall({ reach, searchPath }: Surroundings): SetupOffer {
  const spec = installedSpec()
  const forOneRun = reach === 'for_one_run'
  return {
    name: 'install',
    state: forOneRun ? 'open' : 'there',
    about: forOneRun ? 'npx has fetched ralph for this once' : 'ralph is installed',
    question: `npx has fetched ralph for this once. Install it, for hooks and your shell (npm install --global ${spec})?`,
    accept: async () => {
      await installForGood(spec, searchPath)
      return {
        about: 'the command ralph is on this machine; npm uninstall --global ralph-memory removes it',
        files: [],
      }
    },
  }
}
