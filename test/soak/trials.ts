import { killedPath, type Trial } from './core/trial.ts'
import { clock } from './troubles/clock.ts'
import { crowd } from './troubles/crowd.ts'
import { dashboard } from './troubles/dashboard.ts'
import { database } from './troubles/database.ts'
import { fullDisk } from './troubles/full-disk.ts'
import { hooks } from './troubles/hooks.ts'
import { indexDeleted } from './troubles/index-deleted.ts'
import { migrate } from './troubles/migrate.ts'
import { postgres } from './troubles/postgres.ts'
import { qdrant } from './troubles/qdrant.ts'
import { readOnly } from './troubles/read-only.ts'
import { torn } from './troubles/torn.ts'
import { undo } from './troubles/undo.ts'

/** In the order in which they are run; a share is hundreds of writes in a full run: quick paths have more of them. */
export const TRIALS: readonly Trial[] = [
  killedPath('record', 26),
  killedPath('learnings', 10),
  killedPath('board', 13),
  killedPath('knowledge', 5),
  killedPath('conversations', 19),
  killedPath('workers', 4.5),
  killedPath('receipts', 20),
  killedPath('documents', 6),
  killedPath('transfer', 7),
  hooks,
  migrate,
  dashboard,
  undo,
  crowd,
  torn,
  database,
  fullDisk,
  readOnly,
  indexDeleted,
  clock,
  postgres,
  qdrant,
]
