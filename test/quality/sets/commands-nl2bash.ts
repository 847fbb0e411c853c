import { type DocumentLine, type QuestionLine, readLines } from '../data.ts'
import { hitAt, reciprocalRank } from '../grading/measures.ts'
import type { RetrievalSet } from '../shape.ts'
import { putIntoFeatureMemory } from './feature-records.ts'

const DOCUMENTS = 'commands-nl2bash/documents.jsonl'
const QUESTIONS = 'commands-nl2bash/queries.jsonl'

export const commandsNl2bash: RetrievalSet = {
  name: 'commands-nl2bash',
  title: 'how-to in other words (nl2bash)',
  through: 'feature memory: `recordIteration` → `search`',
  about:
    'What people want from the shell, each recorded as an iteration: the task is what was wanted, the summary the command that does it. Asked for in the words of somebody else who wanted the same.',
  world: 'shell',
  needs: [DOCUMENTS, QUESTIONS],
  load: () => [
    { documents: readLines<DocumentLine>(DOCUMENTS), questions: readLines<QuestionLine>(QUESTIONS) },
  ],
  put: (ralph, documents) =>
    putIntoFeatureMemory(ralph, documents, ({ text }) => {
      const [wanted = '', ...command] = text.split('\n')
      return { title: wanted, summary: command.join('\n').trim() || wanted }
    }),
  shownByDefault: 20,
  measures: [reciprocalRank(), hitAt(5)],
}
