import { type QuestionLine, readLines } from '../data.ts'
import { hitAt, reciprocalRank } from '../grading/measures.ts'
import type { Document, RetrievalSet } from '../shape.ts'
import { putIntoFeatureMemory } from './feature-records.ts'

const DOCUMENTS = 'sessions-entire/documents.jsonl'
const QUESTIONS = 'sessions-entire/queries.jsonl'

interface Session extends Document {
  prompts: string
  files: string[]
}

export const sessionsEntire: RetrievalSet<Session> = {
  name: 'sessions-entire',
  title: 'pull request → agent session',
  through: 'feature memory: `recordIteration` → `search`',
  about:
    'Sessions of agents in a public repository: the task is what was asked first, the summary all that was asked, beside the files that were touched. Asked for by the title of the pull request that came of it.',
  world: 'sessions',
  needs: [DOCUMENTS, QUESTIONS],
  load: () => [
    {
      documents: readLines<Omit<Session, 'text'>>(DOCUMENTS).map((session) => ({
        ...session,
        text: [session.prompts, ...session.files].join('\n'),
      })),
      questions: readLines<QuestionLine>(QUESTIONS),
    },
  ],
  put: (ralph, documents) =>
    putIntoFeatureMemory(ralph, documents, ({ prompts, files }) => {
      const asked = prompts.trim() || 'a session without words'
      return { title: asked.split('\n')[0]!, summary: asked, files }
    }),
  shownByDefault: 20,
  measures: [reciprocalRank(), hitAt(5)],
}
