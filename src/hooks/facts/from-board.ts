import { type Board, openBoard } from '../../board/board.ts'
import { boardVersion } from '../../board/board-version.ts'
import { featuresInProgress } from '../../board/current-feature.ts'
import type { Config } from '../../config.ts'
import { Seal } from '../../files/seal.ts'
import { projectFileHasher } from '../../learnings/anchors.ts'
import { Learnings } from '../../learnings/store.ts'
import { VouchedLearnings } from '../../learnings/vouched.ts'
import { quoted } from '../../text/quote.ts'
import type { BoardFacts, Saying } from './feature-facts.ts'
import { type ProjectFacts, recordedFeatures } from './project-facts.ts'

const MOST_LEARNINGS = 10
const LONGEST_LEARNING = 300

/** What the board says about one feature. A board that cannot be read takes nothing away from what the journal knows. */
export async function factsFromBoard(config: Config, feature: string, latest: number): Promise<BoardFacts> {
  // Taken before reading: what is written meanwhile makes the facts stale, not wrong for ever.
  const version = boardVersion(config.paths.database)
  const board = boardOf(config)
  const [state, learnings] = await Promise.all([
    stateOf(board, feature).catch(() => ''),
    learningsOf(config, board, feature, latest).catch(() => []),
  ])
  return { version, state, learnings }
}

/** Which features the board knows, and in which of them work is going on. */
export async function projectFactsFromBoard(config: Config): Promise<ProjectFacts> {
  const board = boardOf(config)
  const [features, tasks] = await Promise.all([board.features(), board.tasks()]).catch(() => [[], []])
  const names = features.map(({ name }) => name)
  const all = [...new Set([...names, ...recordedFeatures(config)])]
  return { features: names, inProgress: featuresInProgress(all, tasks) }
}

function boardOf({ paths }: Config): Board {
  return openBoard({ dir: paths.database, cacheDir: paths.cache, seal: new Seal(paths.seal) })
}

/** Without tasks there is nothing to say. */
async function stateOf(board: Board, feature: string): Promise<string> {
  const tasks = await board.tasks({ feature })
  return tasks.length > 0 ? board.currentState(feature) : ''
}

async function learningsOf(config: Config, board: Board, feature: string, latest: number): Promise<Saying[]> {
  const learnings = new Learnings({
    store: board.learnings,
    hashFile: projectFileHasher(config.project),
    now: () => new Date().toISOString(),
    vouched: new VouchedLearnings(config),
  })
  const shown = await learnings.list(feature, { iteration: latest, limit: MOST_LEARNINGS * 2 })
  return shown
    .filter(({ stale }) => !stale)
    .slice(0, MOST_LEARNINGS)
    .map(({ id, text, source, reviewed, remarks }) => {
      const remark = [source, reviewed ? 'reviewed' : 'not reviewed', ...remarks].join(', ')
      return {
        text: `- ${quoted(text, LONGEST_LEARNING)} (${remark})`,
        tells: [`learning ${id}`],
        item: { kind: 'learning', source: `learning ${id}`, why: remark },
      }
    })
}
