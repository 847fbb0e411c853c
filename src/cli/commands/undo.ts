import type { Command } from 'commander'
import { requirePerson } from '../../person.ts'
import { shortId } from '../../text/short-id.ts'
import { ChangeHistory, type LoggedChange } from '../../undo/changes.ts'
import { undoingWords } from '../../undo/describe.ts'
import { ralphCommand, withExamples } from '../command.ts'
import type { Output } from '../output.ts'
import { table } from '../table.ts'

export function register(undo: Command): void {
  undo
    .argument('[id]', 'another change than the last one; also one that undid another')
    .option('--list', 'the last changes, and which of them were undone')
  withExamples(undo, 'ralph undo', 'ralph undo --list', 'ralph undo u-12')
  ralphCommand<{ list?: boolean }>(undo, async ({ ralph, options, out }, typed) => {
    const changes = new ChangeHistory(ralph)
    if (options.list) return list(await changes.list(), out)
    await requirePerson(ralph.config, 'undo what was changed')
    const change = await changes.toUndo(typed)
    const undoing = await changes.undo(change)
    const { parts: _, ...undone } = change
    out.result({ undone, by: undoing.id, did: undoingWords(change) }, () =>
      [
        `${out.style('green', '✓')} Undone: ${change.label} ${out.style('dim', `(${change.at.slice(0, 16).replace('T', ' ')})`)}`,
        ...undoingWords(change).map((line) => `  ${line}`),
      ].join('\n'),
    )
    if (change.remark) out.talk(`Not brought back: ${change.remark}.`)
    out.talk(out.talkStyle('dim', `To have it again: ralph undo ${shortId('change', undoing.id)}`))
  })
}

function list(changes: readonly LoggedChange[], out: Output): void {
  const shown = changes.map(({ parts, ...change }) => ({ ...change, undoing: undoingWords({ parts }) }))
  out.result({ changes: shown }, () =>
    table(
      ['id', 'when', 'change', ''],
      shown.map((change) => [
        shortId('change', change.id),
        change.at.slice(0, 16).replace('T', ' '),
        change.label,
        stateOf(change),
      ]),
    ),
  )
  if (changes.length === 0) out.talk('Nothing has been changed through ralph in this project lately.')
}

function stateOf({ undoneBy, final, byAgent, cutShort }: Omit<LoggedChange, 'parts'>): string {
  if (undoneBy !== undefined) return `undone by ${shortId('change', undoneBy)}`
  if (final !== undefined) return 'for good'
  if (cutShort) return 'ended on the way'
  return byAgent ? 'by an agent' : ''
}
