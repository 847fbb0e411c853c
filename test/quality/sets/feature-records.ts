import type { Ralph } from '../../../src/index.ts'
import { type Asking, type Document, type Found, RANKED } from '../shape.ts'

const FEATURE = 'everything'

/** What is told of one iteration. */
export interface Told {
  title: string
  summary: string
  errors?: readonly string[]
  decisions?: readonly string[]
  files?: readonly string[]
}

/** Records the documents as iterations of one feature, and asks for them as anybody does. */
export async function putIntoFeatureMemory<Kept extends Document>(
  { featureMemory }: Ralph,
  documents: readonly Kept[],
  tell: (document: Kept) => Told,
): Promise<Asking> {
  const idOfTask = new Map<number, string>()
  for (const [at, document] of documents.entries()) {
    const { title, summary, errors = [], decisions = [], files = [] } = tell(document)
    const { taskId } = await featureMemory.recordIteration({
      feature: FEATURE,
      taskId: at + 1,
      taskTitle: title,
      summary,
      timestamp: new Date().toISOString(),
      outcome: 'success',
      errors: errors.map((message) => ({ message })),
      decisions: decisions.map((description) => ({ description })),
      filesTouched: files.map((path) => ({ path, action: 'modified' })),
    })
    idOfTask.set(taskId, document.id)
  }
  await featureMemory.catchUp(FEATURE)
  const search = async (
    question: string,
    options?: { limit: number; minScore: number },
  ): Promise<Found[]> => {
    const results = await featureMemory.search(FEATURE, question, options)
    return results.map(({ record, score }) => ({ ids: [idOfTask.get(record.taskId)!], score }))
  }
  return {
    rank: (question) => search(question, { limit: RANKED, minScore: 0 }),
    ask: (question) => search(question),
  }
}
