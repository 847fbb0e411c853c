import type { Ralph } from '../../../src/index.ts'
import { type DocumentLine, type QuestionLine, readLines } from '../data.ts'
import { hitAt, reciprocalRank } from '../grading/measures.ts'
import { type Asking, type Document, type Found, RANKED, type RetrievalSet } from '../shape.ts'

const DOCUMENTS = 'failures-clippy/documents.jsonl'
const QUESTIONS = 'failures-clippy/queries.jsonl'

async function put({ knowledge }: Ralph, documents: readonly Document[]): Promise<Asking> {
  const documentOf = new Map<string, string>()
  for (const { id, text } of documents) {
    const [problem = '', ...rest] = text.split('\n')
    const captured = await knowledge.capture({
      kind: 'failure_solution',
      project: 'clippy',
      failureDescription: problem,
      solutionSteps: rest.join('\n').trim() || problem,
    })
    documentOf.set(captured.id, id)
  }
  const { stopped } = await knowledge.checkpoint('manual')
  if (stopped) throw stopped
  const query = async (question: string, options?: { limit: number; minScore: number }): Promise<Found[]> => {
    const patterns = await knowledge.queryForFailure({ description: question }, options)
    return patterns.map(({ entries, score }) => ({
      ids: entries.map(({ id }) => documentOf.get(id)!),
      score,
    }))
  }
  return {
    rank: (question) => query(question, { limit: RANKED, minScore: 0 }),
    ask: (question) => query(question),
  }
}

export const failuresClippy: RetrievalSet = {
  name: 'failures-clippy',
  title: 'compiler error → right lint',
  through: 'project knowledge: `capture`, `checkpoint` → `queryForFailure`',
  about:
    'The documentation of every Clippy lint as an entry of knowledge: its first line the failure, the rest the solution. Asked for with what the compiler printed, without the name of the lint.',
  world: 'compiler',
  needs: [DOCUMENTS, QUESTIONS],
  load: () => [
    { documents: readLines<DocumentLine>(DOCUMENTS), questions: readLines<QuestionLine>(QUESTIONS) },
  ],
  put,
  shownByDefault: 3,
  measures: [reciprocalRank(), hitAt(5)],
}
