import type { Command } from 'commander'
import { isRalphError, RalphError } from '../../errors.ts'
import { withFileLock } from '../../files/file-lock.ts'
import { loopLock } from '../../loop/loop-lock.ts'
import { requirePerson } from '../../person.ts'
import type { Ralph } from '../../ralph.ts'
import { agentCalled } from '../../transcripts/agents.ts'
import { boardDemands } from '../../trust/board-demands.ts'
import type { Demand } from '../../trust/demand.ts'
import { TrustStore } from '../../trust/trust-store.ts'
import { UNTRUSTED_SETTINGS } from '../../trust/untrusted.ts'
import { ralphCommand, withExamples } from '../command.ts'
import { confirmed } from '../confirm.ts'
import type { Output } from '../output.ts'

interface TrustFlags {
  yes?: boolean
  revoke?: boolean
}

/** `changed`: something else was trusted under this name before. */
type TrustState = 'trusted' | 'changed' | 'new'

interface Judged extends Demand {
  state: TrustState
  /** What was trusted before, where that was something else. */
  before: string[]
}

export function register(trust: Command): void {
  trust
    .option(
      '--yes',
      'trust it without asking; only where there is no terminal, and never from within an agent',
    )
    .option('--revoke', 'trust nothing of this project any more')
  withExamples(trust, 'ralph trust', 'ralph trust --revoke')
  ralphCommand<TrustFlags>(
    trust,
    async ({ ralph, options, out }) => {
      const { project, paths } = ralph.config
      const store = new TrustStore({ file: paths.trust, project })
      const judged = (await demandsOf(ralph)).map((demand) => judge(store.withFiles(demand), store))
      const waiting = judged.filter(({ state }) => state !== 'trusted')
      if (!out.json && waiting.length > 0 && !options.revoke) out.talk(described(judged, out))
      const changed = await decide({ ralph, options, out, store, judged, waiting })
      const after = judged.map((demand) => judge(demand, store))
      const trusted = after.every(({ state }) => state === 'trusted')
      out.result({ project, trusted, demands: after }, () => conclusion(after, changed, out))
      if (!trusted && !options.revoke) process.exitCode = 1
    },
    { silences: UNTRUSTED_SETTINGS },
  )
}

async function demandsOf({ config, board }: Ralph): Promise<Demand[]> {
  const ownAgent = agentCalled(config.settings.loop.agent[0]!)
  const ofBoard = boardDemands(await board.tasks(), await board.disciplines(), ownAgent)
  return [...config.demands.all, ...ofBoard]
}

function judge(demand: Demand, store: TrustStore): Judged {
  if (store.isTrusted(demand)) return { ...demand, state: 'trusted', before: [] }
  const before = store.linesBefore(demand.name)
  return { ...demand, state: before ? 'changed' : 'new', before: before ?? [] }
}

interface Decision {
  ralph: Ralph
  options: TrustFlags
  out: Output
  store: TrustStore
  judged: readonly Judged[]
  waiting: readonly Judged[]
}

/** Whether anything is trusted now that was not, or the other way round. */
async function decide({ ralph, options, out, store, judged, waiting }: Decision): Promise<boolean> {
  if (options.revoke) {
    const had = store.names().length > 0
    if (had) await store.trustOnly([])
    return had
  }
  if (waiting.length === 0) return false
  await requirePerson(ralph.config, 'trust settings')
  const atTerminal = process.stdin.isTTY && process.stderr.isTTY
  const agreed = atTerminal
    ? !out.json && (await confirmed('Trust exactly this in this project?'))
    : options.yes === true && (await whileNoLoopRuns(ralph.config.paths.cache))
  if (agreed) await store.trustOnly(judged)
  return agreed
}

/** An agent may start a process that outlives it and shows no trace of it: none of them trusts anything while a loop runs. */
async function whileNoLoopRuns(cacheDir: string): Promise<boolean> {
  try {
    return await withFileLock(loopLock(cacheDir), async () => true, { timeoutMs: 0 })
  } catch (error) {
    if (!isRalphError(error) || error.code !== 'timeout') throw error
    throw new RalphError('conflict', 'a loop is running in this project', {
      hint: 'Run ralph trust in a terminal, or when the loop has ended.',
      cause: error,
    })
  }
}

function described(judged: readonly Judged[], out: Output): string {
  return judged
    .flatMap(({ name, effect, lines, state, before }) => {
      const gone = before.filter((line) => !lines.includes(line))
      const mark = (line: string) => (state === 'trusted' || before.includes(line) ? ' ' : '+')
      return [
        `${out.talkStyle('bold', name)} (${state}): ${effect}`,
        ...gone.map((line) => out.talkStyle('red', `  - ${line}`)),
        ...lines.map((line) => (mark(line) === '+' ? out.talkStyle('green', `  + ${line}`) : `    ${line}`)),
      ]
    })
    .join('\n')
}

function conclusion(judged: readonly Judged[], changed: boolean, out: Output): string {
  const waiting = judged.filter(({ state }) => state !== 'trusted').map(({ name }) => name)
  if (waiting.length > 0) {
    return `Not trusted: ${waiting.join(', ')}. The rest goes on with defaults.`
  }
  if (judged.length === 0) return 'Nothing in the settings of this project executes, sends or connects.'
  const names = judged.map(({ name }) => name).join(', ')
  return `${out.style('green', '✓')} ${changed ? 'Trusted' : 'Trusted before, and unchanged'}: ${names}`
}
