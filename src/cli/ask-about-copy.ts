import type { IdentifiedProject } from '../identity/identity.ts'
import { isAgent } from '../person.ts'
import type { Ralph } from '../ralph.ts'
import { typedWord } from './confirm.ts'

/** Whether a copy is the same project is asked at a terminal; whoever gives no answer is asked again the next time. */
export async function askAboutCopy({ identity, config }: Ralph): Promise<void> {
  const found = identity.look()
  if (found.state !== 'apart' || (await isAgent(config))) return
  const answer = await typedWord(question(found), ['same', 'new'])
  if (answer) await identity.decide(answer)
}

function question({ path, elsewhere }: IdentifiedProject): string {
  return `${path} has the id of the project in ${elsewhere[0]}.
Is it the same project (they share their memory), or a new one? [same/new, Enter to decide later] `
}
