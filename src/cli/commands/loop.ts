import { type Command, InvalidArgumentError } from 'commander'
import type { Settings } from '../../config.ts'
import { LARGEST_HOLDOUT } from '../../feature-memory/record.ts'
import type { LoopSummary } from '../../loop/events.ts'
import type { LoopOptions } from '../../loop/parts.ts'
import type { Ralph } from '../../ralph.ts'
import { AGENT_NAMES } from '../../transcripts/agents.ts'
import { parseWholeNumber, ralphCommand, withExamples } from '../command.ts'
import { LoopView } from '../loop-view.ts'
import { taskId } from './board/flags.ts'

interface LoopFlags {
  feature?: string
  task?: string
  once?: boolean
  maxIterations?: number
  maxCost?: number
  maxCostPerIteration?: number
  timeLimit?: number
  silenceLimit?: number
  stagnation?: number
  reviewEvery?: number
  budget?: number
  model?: string
  agent?: string[]
  dryRun?: boolean
  memory: boolean
  holdout?: number
}

export function register(loop: Command): void {
  loop
    .option('--feature <name>', 'only tasks of this feature')
    .option('--task <id>', 'only this task')
    .option('--once', 'a single iteration')
    .option('--max-iterations <number>', 'stop after so many', parseWholeNumber('--max-iterations', 1))
    .option(
      '--max-cost <dollars>',
      'stop when the loop has cost so much, also in the middle of a run',
      amount('--max-cost'),
    )
    .option(
      '--max-cost-per-iteration <dollars>',
      'end a run that costs more',
      amount('--max-cost-per-iteration'),
    )
    .option('--time-limit <minutes>', 'end a run that takes longer', amount('--time-limit'))
    .option(
      '--silence-limit <minutes>',
      'end a run that prints nothing for so long',
      amount('--silence-limit'),
    )
    .option(
      '--stagnation <number>',
      'stop after so many iterations that change no task',
      parseWholeNumber('--stagnation', 1),
    )
    .option(
      '--review-every <number>',
      'review a feature after so many iterations; 0 for never',
      parseWholeNumber('--review-every'),
    )
    .option('--budget <tokens>', 'the budget of each prompt', parseWholeNumber('--budget', 200))
    .option('--model <name>', 'the model the agent uses for tasks')
    .option(
      '--agent <command>',
      `the agent with its options: ${AGENT_NAMES.join(', ')}, or any command (default: claude)`,
      words,
    )
    .option('--no-memory', 'record everything, but show the agent nothing of it (to compare)')
    .option(
      '--holdout <share>',
      'run so much of the iterations on tasks without memory, 0 to 0.5, drawn by chance',
      share,
    )
    .option('--dry-run', 'show which task would come next and its prompt; start nothing')
  withExamples(
    loop,
    'ralph loop --feature auth --max-cost 5',
    'ralph loop --once --task 7',
    'ralph loop --agent codex --once',
    'ralph loop --agent "claude --dangerously-skip-permissions" --max-iterations 20',
    'ralph loop --json | jq -c \'select(.kind == "iteration_ended")\'',
  )
  ralphCommand<LoopFlags>(
    loop,
    async ({ ralph, options, out, signal, killSignal }) => {
      // A slip in its number is no reason to find nothing to do.
      if (options.task !== undefined) await ralph.board.task(taskId(options.task))
      const view = new LoopView(out)
      try {
        const settings = ralph.config.settings.loop
        const chosen = { ...loopOptions(options, settings), holdout: await holdoutOf(ralph, options.holdout) }
        const summary = await ralph.loop.run(chosen, view.show, {
          stop: signal,
          kill: killSignal,
        })
        process.exitCode = exitCode(summary)
      } finally {
        view.close()
      }
    },
    { interrupts: 'patient' },
  )
}

function loopOptions(flags: LoopFlags, settings: Settings['loop']): LoopOptions {
  return {
    agent: flags.agent ?? settings.agent,
    model: flags.model ?? settings.model,
    reviewModel: settings.reviewModel,
    timeLimitMs: (flags.timeLimit ?? settings.timeLimitMinutes) * 60_000,
    silenceLimitMs: (flags.silenceLimit ?? settings.silenceLimitMinutes) * 60_000,
    stagnationLimit: flags.stagnation ?? settings.stagnationLimit,
    reviewEvery: flags.reviewEvery ?? settings.reviewEvery,
    promptBudget: flags.budget ?? settings.promptBudget,
    feature: flags.feature,
    task: flags.task === undefined ? undefined : taskId(flags.task),
    maxIterations: flags.once ? 1 : flags.maxIterations,
    maxCost: flags.maxCost,
    maxCostPerIteration: flags.maxCostPerIteration,
    dryRun: flags.dryRun,
    memory: flags.memory,
  }
}

async function holdoutOf(
  { config, identity }: Pick<Ralph, 'config' | 'identity'>,
  given: number | undefined,
): Promise<LoopOptions['holdout']> {
  const { holdout, holdoutSeed } = config.settings.loop
  const chosen = given ?? holdout
  return chosen > 0 ? { share: chosen, seed: holdoutSeed ?? (await identity.key()).key } : undefined
}

/** 0 when it did what it was asked for, 1 when somebody has to look, 130 after Ctrl-C. */
function exitCode({ cause }: LoopSummary): number {
  if (cause === 'interrupted') return 130
  return cause === 'stagnation' || cause === 'agent_unusable' || cause === 'nothing_ready' ? 1 : 0
}

/** As a shell would split it, quotes included. */
function words(text: string): string[] {
  const found = [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain!,
  )
  if (found.length > 0) return found
  throw new InvalidArgumentError('--agent must name a command.')
}

function share(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && value >= 0 && value <= LARGEST_HOLDOUT) return value
  throw new InvalidArgumentError(`--holdout must be a share from 0 to ${LARGEST_HOLDOUT}.`)
}

function amount(name: string): (text: string) => number {
  return (text) => {
    const value = Number(text.replace(/^\$/, ''))
    if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value
    throw new InvalidArgumentError(`${name} must be a number above 0.`)
  }
}
