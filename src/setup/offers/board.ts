import { hasBoard, setUpProject } from '../../project-setup.ts'
import type { Ralph } from '../../ralph.ts'
import type { SetupOffer } from './offer.ts'

/** Features and tasks in files that people and agents edit: what `ralph loop` works on. */
export function offerBoard({ config }: Ralph): SetupOffer {
  const there = hasBoard(config)
  return {
    name: 'board',
    state: there ? 'there' : 'open',
    about: there ? 'in .ralph/db/' : 'features and tasks in .ralph/db/',
    question: 'A board of features and tasks, for ralph loop, in .ralph/db/?',
    accept: async () => {
      const files = await setUpProject(config)
      return { about: 'in .ralph/db/', files: files.filter(({ action }) => action === 'created') }
    },
  }
}
