import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { ralphCommandLine } from '../../agent-config/ralph-command.ts'
import {
  askQuestions,
  type DemoAnswer,
  type DemoIteration,
  type DemoRun,
  runSample,
  runSpeakers,
  SPEAKERS,
} from '../../demo/demo.ts'
import { removeFolder, removeOnceWeEnd } from '../../files/remove-folder.ts'
import { commandName, installationAt } from '../../installation.ts'
import { oneLine } from '../../text/truncate.ts'
import { wrap } from '../../text/wrap.ts'
import { agentLabel } from '../../transcripts/agents.ts'
import { packageRoot } from '../../version.ts'
import { withExamples } from '../command.ts'
import { confirmed } from '../confirm.ts'
import { Output } from '../output.ts'
import { pairs } from '../pairs.ts'
import { table } from '../table.ts'
import { columnsOf } from '../width.ts'

const WIDEST_AGENT = Math.max(...SPEAKERS.map((agent) => agentLabel(agent).length))

export function register(demo: Command): void {
  demo
    .option('--agents', 'the same agent as two programs in turn: what one has tried, the other is told')
    .option('--keep', 'keep the sample projects and say where they are')
    .option('--json', 'print JSON for programs')
  withExamples(demo, 'ralph demo', 'ralph demo --agents', 'ralph demo --keep')
  demo.action(async () => {
    const options = demo.opts<{ agents?: boolean; keep?: boolean; json?: boolean }>()
    const out = new Output(options)
    const folder = await mkdtemp(join(tmpdir(), 'ralph-demo-'))
    try {
      await (options.agents ? tellOfAgents(out, folder) : tell(out, folder))
      if (options.keep) out.talk(`The sample projects are in ${folder}`)
    } finally {
      // Windows does not let go of the library that this process has loaded from there.
      if (!options.keep && (await removeFolder(folder, { patient: false })).length > 0)
        removeOnceWeEnd(folder)
    }
    if (options.agents) out.talk(nextSteps(out, AGENT_STEPS))
    else await offerDashboard(out)
  })
}

/** At a terminal it ends with the dashboard, which says its address, else with the command for it. */
async function offerDashboard(out: Output): Promise<void> {
  out.talk(nextSteps(out, SAMPLE_STEPS))
  if (!out.json && (await confirmed('Open that dashboard now?'))) {
    const { command, args } = ralphCommandLine(['dashboard', '--demo', '--open'])
    const dashboard = spawn(command, args, { stdio: 'inherit' })
    // Ctrl-C is for the dashboard, and ends it.
    process.on('SIGINT', () => undefined)
    await once(dashboard, 'close')
  }
}

type Step = readonly [command: string, what: string]
const SAMPLE_STEPS: readonly Step[] = [['dashboard --demo', 'this sample with some weeks more of work']]
const AGENT_STEPS: readonly Step[] = [
  ['loop --agent codex', 'your tasks with Codex CLI, or with any other of your agents'],
  ['sync', 'what your agents have done in a project by hand'],
  ['help agents', 'what works with which agent'],
]

/** Whoever came from a clone or by npx has no `ralph` in a project of their own. */
function nextSteps(out: Output, more: readonly Step[]): string {
  const { kind } = installationAt(packageRoot)
  const init = kind === 'global' ? 'ralph init' : 'npx ralph-memory init'
  const steps: Step[] = [
    [`cd your-project && ${init}`, 'finds your agents and past sessions, and asks'],
    ...more.map(([words, what]): Step => [`${commandName()} ${words}`, what]),
  ]
  return ['', out.talkStyle('bold', 'Next'), pairs(steps, columnsOf(process.stderr))].join('\n')
}

async function tell(out: Output, folder: string): Promise<void> {
  const say = (line: string) => {
    if (!out.json) out.say(line)
  }
  say(
    `${out.style('bold', 'Ralph Memory')}: three small tasks with a trap each, without memory, then with.\nThe agent is scripted: a small program, no language model.\nWhat memory does is real: it records runs, finds them, writes the prompts.\n\n`,
  )
  say(out.style('bold', 'WITHOUT MEMORY: every run starts from nothing'))
  const without = await runSample(false, {
    folder,
    onIteration: (iteration) => say(iterationLine(out, iteration)),
  })
  say(`\n${out.style('bold', 'WITH MEMORY: every run is told what failed before')}`)
  const withMemory = await runSample(true, {
    folder,
    onIteration: (iteration) => say(iterationLine(out, iteration)),
  })
  say(
    `\n${out.style('bold', 'What the agent was shown')} (from its last prompt for "Format prices")\n${out.style('dim', indent(withMemory.told))}`,
  )
  const answers = await askQuestions(folder)
  say(`\n${out.style('bold', 'And you can ask')}  ralph memory search … --feature pricing`)
  for (const answer of answers) say(answerText(out, answer))
  out.result(
    { agent: 'scripted', without, with: withMemory, answers },
    () => `\n${comparison(without, withMemory)}`,
  )
}

async function tellOfAgents(out: Output, folder: string): Promise<void> {
  const say = (line: string) => {
    if (!out.json) out.say(line)
  }
  const names = SPEAKERS.map(agentLabel).join(' and ')
  say(
    `${out.style('bold', 'Ralph Memory')}: one memory for every agent.\nThe agent is scripted: it speaks as ${names} in turn, each in its own event stream.\nWhat memory does is real: it reads both, records what was tried, and tells the next one.\n\n`,
  )
  const run = await runSpeakers({
    folder,
    onIteration: (iteration) => say(iterationLine(out, iteration, agentLabel(iteration.agent ?? ''))),
  })
  say(
    `\n${out.style('bold', 'What the last one was shown')} of what the other had done (its prompt for "Format prices")\n${out.style('dim', indent(run.told))}`,
  )
  out.result({ agent: 'scripted', agents: SPEAKERS, run }, () => `\n${agentTable(run)}`)
}

function agentTable({ iterations, tasksDone, tasks }: DemoRun): string {
  const of = (agent: string) => iterations.filter((iteration) => iteration.agent === agent)
  const done = (agent: string) => of(agent).filter(({ outcome }) => outcome === 'success').length
  return table(
    ['', ...SPEAKERS.map(agentLabel), 'together'],
    [
      ['runs', ...SPEAKERS.map((agent) => of(agent).length), iterations.length],
      ['tasks done', ...SPEAKERS.map(done), `${tasksDone} of ${tasks}`],
      ['failures repeated', ...SPEAKERS.map((agent) => repeatedIn(of(agent))), repeatedIn(iterations)],
    ],
  )
}

function repeatedIn(iterations: readonly DemoIteration[]): number {
  return iterations.filter(({ repeated }) => repeated).length
}

function iterationLine(
  out: Output,
  { number, taskTitle, outcome, summary, repeated }: DemoIteration,
  agent?: string,
): string {
  const mark = outcome === 'success' ? out.style('green', '✓') : out.style('red', '✗')
  const what = summary.replace(`${taskTitle}: `, '')
  const again = repeated ? out.style('yellow', '  ← the same failure again') : ''
  const who = agent === undefined ? '' : `${agent.padEnd(WIDEST_AGENT)} `
  const title = `${who}${taskTitle.padEnd(14)}`
  const indent = `  ${number} ✓ ${title} `.length
  const width = (columnsOf(process.stdout) ?? Number.POSITIVE_INFINITY) - indent
  const text = wrap(oneLine(what, 90) + again, width).replaceAll('\n', `\n${' '.repeat(indent)}`)
  return `  ${number} ${mark} ${title} ${text}`
}

function answerText(out: Output, { question, best }: DemoAnswer): string {
  const answer = best
    ? `${oneLine(best.record.summary, 100)} ${out.style('dim', `(${best.age}; ${best.relevance}, by ${best.matched.join(' and ')})`)}`
    : 'nothing relevant'
  return `  ${out.style('cyan', '?')} ${question}\n    ${answer}`
}

function comparison(without: DemoRun, withMemory: DemoRun): string {
  const repeated = ({ iterations }: DemoRun) => repeatedIn(iterations)
  const row = (name: string, value: (run: DemoRun) => string | number) => [
    name,
    value(without),
    value(withMemory),
  ]
  return table(
    ['', 'without', 'with memory'],
    [
      row('tasks done', (run) => `${run.tasksDone} of ${run.tasks}`),
      row('iterations', (run) => run.iterations.length),
      row('failures repeated', repeated),
      row('tokens', (run) => run.tokens),
      row('tokens per task done', (run) =>
        run.tasksDone === 0 ? '–' : Math.round(run.tokens / run.tasksDone),
      ),
      row('cost (estimated)', (run) => `$${run.costUsd.toFixed(4)}`),
    ],
  )
}

function indent(text: string): string {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `  │ ${oneLine(line, 130)}`)
    .join('\n')
}
