import { killedPath, type Trial } from './core/trial.ts'
import { clock } from './troubles/clock.ts'
import { crowd } from './troubles/crowd.ts'
import { indexDeleted } from './troubles/index-deleted.ts'
import { postgres } from './troubles/postgres.ts'
import { qdrant } from './troubles/qdrant.ts'

/** In the order in which they are run; the parts of all writes add up to about 100. */
export const TRIALS: readonly Trial[] = [
  killedPath('record', 16),
  killedPath('learnings', 6),
  killedPath('board', 8),
  killedPath('knowledge', 8),
  killedPath('conversations', 10),
  killedPath('workers', 6),
  killedPath('receipts', 10),
  killedPath('documents', 3),
  killedPath('transfer', 5),
  crowd,
  indexDeleted,
  clock,
  postgres,
  qdrant,
]
