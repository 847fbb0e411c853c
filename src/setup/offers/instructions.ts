import { hasSection, sectionFilesFor, writeSection } from '../../agent-config/instructions.ts'
import type { Ralph } from '../../ralph.ts'
import { shownPath, stepOf } from '../step.ts'
import type { Surroundings } from '../surroundings.ts'
import type { Accepted, SetupOffer } from './offer.ts'

/** A few lines on the memory tools in the file that the agents found read: for those who would not think of them. */
export async function offerInstructions({ config }: Ralph, { agents }: Surroundings): Promise<SetupOffer> {
  const wanted = sectionFilesFor(
    agents.map(({ client }) => client),
    config,
  )
  const missing: string[] = []
  for (const file of wanted) if (!(await hasSection(file, config))) missing.push(file)
  const namesOf = (files: readonly string[]) =>
    files.map((file) => shownPath(file, config.project)).join(', ')
  const none = wanted.length === 0
  return {
    name: 'instructions',
    state: none ? 'nothing' : missing.length === 0 ? 'there' : 'open',
    about: none
      ? 'no agent was found that reads AGENTS.md or GEMINI.md'
      : `a section on the memory tools in ${namesOf(missing.length > 0 ? missing : wanted)}`,
    question: `A section on the memory tools, between marks, in ${namesOf(missing)}?`,
    usually: false,
    accept: async (): Promise<Accepted> => {
      const files: Accepted['files'] = []
      for (const file of missing) files.push(stepOf(await writeSection(file, config), config.project))
      return { about: `in ${namesOf(missing)}, between marks`, files }
    },
  }
}
