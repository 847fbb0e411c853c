import type { Command } from 'commander'
import { gateRequest, rejectedElsewhere, rejectWork } from '../../loop/gate.ts'
import { changeText, decisionOf, type Gate } from '../../project-knowledge/gate.ts'
import type { Ralph } from '../../ralph.ts'
import { plural } from '../../text/plural.ts'
import { shortId } from '../../text/short-id.ts'
import { oneLine } from '../../text/truncate.ts'
import { doneForGood } from '../../undo/undoable.ts'
import { parseWholeNumber, ralphCommand, withExamples } from '../command.ts'
import type { Output } from '../output.ts'
import { table } from '../table.ts'

const DECIDED = 'a decision at a gate has become knowledge; let the task ask again: ralph gate request'

export function register(gate: Command): void {
  registerList(gate)
  registerShow(gate)
  registerRequest(gate)
  registerApprove(gate)
  registerReject(gate)
}

function registerList(gate: Command): void {
  const command = gate
    .command('list', { isDefault: true })
    .description('what waits in this project, the longest first')
  withExamples(command, 'ralph gate')
  ralphCommand(command, async ({ ralph, out }) => {
    const { knowledge, board, config } = ralph
    const parts = { gates: knowledge.gates, board, project: config.project }
    const waiting = await parts.gates.waiting({ project: config.project })
    out.result({ gates: waiting }, () =>
      table(
        ['id', 'gate', 'task', 'attempt', 'approach'],
        waiting.map((one) => [
          shortId('gate', one.id),
          one.gateType,
          `${one.taskId} ${one.taskTitle}`,
          one.attempt,
          oneLine(one.approach, 60),
        ]),
      ),
    )
    out.talk(waiting.length === 0 ? 'Nothing waits for you.' : 'See what was done: ralph gate show ID')
    for (const gate of await rejectedElsewhere(parts))
      out.talk(
        `Task ${gate.taskId} was sent back on another clone: the next ralph loop takes it up (ralph gate show ${shortId('gate', gate.id)})`,
      )
  })
}

function registerShow(gate: Command): void {
  const command = gate
    .command('show <id>')
    .description('what was done, and the change itself')
    .option('--whole', 'the change with what it does in .ralph')
  withExamples(command, 'ralph gate show 3f2a81b0')
  ralphCommand<{ whole?: boolean }>(command, async ({ ralph, options, out }, id) => {
    const found = await ours(ralph, id!)
    out.result({ gate: found }, () => gateText(out, found, options))
    if (found.state === 'waiting') out.talk(decideText(found))
  })
}

function registerRequest(gate: Command): void {
  const command = gate
    .command('request <task-id>')
    .description('put the work on a task before a person')
    .requiredOption('--gate-type <name>', 'e.g. design, security, review')
    .option('--approach <text>', 'what was done (default: the summary of its last iteration)')
  withExamples(command, 'ralph gate request 7 --gate-type review')
  ralphCommand<{ gateType: string; approach?: string }>(command, async ({ ralph, options, out }, taskId) => {
    const task = await ralph.board.task(parseWholeNumber('the task id')(taskId!))
    const last = (await ralph.featureMemory.recent(task.feature, 50)).find(
      (record) => record.taskId === task.id,
    )
    const parts = { project: ralph.config.project, board: ralph.board }
    const approach = options.approach ?? last?.summary ?? task.title
    const requested = await ralph.knowledge.gates.request(
      await gateRequest(parts, task, { gateType: options.gateType, approach }),
    )
    out.result(
      { gate: requested },
      () =>
        `Waits as ${shortId('gate', requested.id)}. Look at it: ralph gate show ${shortId('gate', requested.id)}`,
    )
  })
}

function registerApprove(gate: Command): void {
  const command = gate
    .command('approve <id>')
    .description('the work is good; approved at its first attempt it becomes a model for others')
    .option('--by <name>', 'in whose name; kept as "said to be", beside your account')
  withExamples(command, 'ralph gate approve 3f2a81b0')
  ralphCommand<{ by?: string }>(command, async ({ ralph, options, out }, id) => {
    const { gates } = ralph.knowledge
    const decision = await gates.approve((await ours(ralph, id!)).id, { by: options.by })
    await doneForGood(ralph, `gate approve ${shortId('gate', decision.gate.id)}`, DECIDED)
    out.result(decision, () => `Approved: ${decision.gate.taskTitle}`)
  })
}

function registerReject(gate: Command): void {
  const command = gate
    .command('reject <id>')
    .description('send the work back: the task is pending again, with your words in its next prompt')
    .requiredOption('--feedback <text>', 'what has to be different')
    .option('--by <name>', 'in whose name; kept as "said to be", beside your account')
  withExamples(command, 'ralph gate reject 3f2a81b0 --feedback "Tokens must not be logged"')
  ralphCommand<{ feedback: string; by?: string }>(command, async ({ ralph, options, out }, id) => {
    const { board, identity, knowledge } = ralph
    const { id: whole } = await ours(ralph, id!)
    const rejected = await rejectWork({ gates: knowledge.gates, board, identity }, whole, options)
    const { gate: decided, sentBack } = rejected
    await doneForGood(ralph, `gate reject ${shortId('gate', decided.id)}`, DECIDED)
    out.result(rejected, () =>
      sentBack
        ? `Sent back: ${decided.taskTitle}. Task ${decided.taskId} is pending again.`
        : `Rejected: ${decided.taskTitle}. Its task is not on the board of this project.`,
    )
  })
}

/** Of this project: what others have handed in is looked at and decided where it lies. */
function ours({ knowledge, config }: Pick<Ralph, 'knowledge' | 'config'>, id: string): Promise<Gate> {
  return knowledge.gates.show(id, { project: config.project })
}

function decideText({ id: whole }: Gate): string {
  const id = shortId('gate', whole)
  return `Decide:\n  ralph gate approve ${id}\n  ralph gate reject ${id} --feedback "what has to be different"`
}

export function gateText(out: Output, gate: Gate, options: { whole?: boolean } = {}): string {
  const { text, leftOut, toJudge } = changeText(gate.change, options)
  const whole = `ralph gate show ${shortId('gate', gate.id)} --whole`
  return [
    `${out.style('bold', gate.taskTitle)}  (${gate.gateType}, attempt ${gate.attempt}, ${gate.state})`,
    ...(gate.state === 'waiting' ? [] : [decisionOf(gate)]),
    gate.approach,
    ...(gate.feedback ? [`feedback: ${gate.feedback}`] : []),
    ...(text ? ['', text.trimEnd(), ''] : []),
    ...(leftOut.length > 0
      ? [out.style('dim', `Not shown, our own files: ${plural(leftOut.length, 'file')} in .ralph (${whole})`)]
      : []),
    ...(toJudge.length > 0
      ? [out.style('yellow', `! It also changes ${toJudge.join(', ')}: read that, too → ${whole}`)]
      : []),
  ].join('\n')
}
