import type { Board } from '../board/board.ts'
import { chooseFeature, chosenFeature } from '../board/current-feature.ts'
import type { Config } from '../config.ts'
import { isSettingAsLeftBy, takeSettingBack } from '../configuration/setting-file.ts'
import type { Deferred } from '../deferred.ts'
import { isRalphError, RalphError } from '../errors.ts'
import { VouchedLearnings } from '../learnings/vouched.ts'
import { type ChoiceChange, changesDuring, type EntryChange, type UndoableChange } from '../noted-change.ts'
import type { Notices } from '../notices.ts'
import { idOfKind, shortId } from '../text/short-id.ts'
import { ChangeLog, type LoggedChange, type NewChange } from './change-log.ts'
import { changedThing, coalesced } from './coalesce.ts'
import type { UnderWay } from './under-way.ts'

export type { LoggedChange } from './change-log.ts'

export interface HistoryParts {
  config: Config
  board: Deferred<Board>
  notices: Notices
}

/** What people change through us, kept for a while so that it can be undone. */
export class ChangeHistory {
  readonly #parts: HistoryParts
  readonly #log: ChangeLog

  constructor(parts: HistoryParts) {
    this.#parts = parts
    this.#log = new ChangeLog(parts.config)
  }

  /** Does something that a person may want undone; `label` says what, e.g. "task done 7". */
  during<Result>(
    label: string,
    work: () => Promise<Result>,
    { remark }: { remark?: string | undefined } = {},
  ): Promise<Result> {
    // What the agent of a run changes is the guard's business.
    if (this.#parts.config.session.inLoop) return work()
    return this.#noting({ label, ...(remark && { remark }) }, work, (note) => this.#orSay(note))
  }

  /** What is changed is said before, so that it is known also of somebody who is killed, and noted afterwards. */
  async #noting<Result>(
    what: Pick<NewChange, 'label' | 'remark' | 'undoes'>,
    work: () => Promise<Result>,
    noted: (note: () => Promise<LoggedChange | undefined>) => Promise<void>,
  ): Promise<Result> {
    const { inAgent } = this.#parts.config.session
    const change = { ...what, parts: [], ...(inAgent && { byAgent: true }) }
    const underWay = this.#log.underWay(change)
    // What somebody was killed over came before; once it is changed again, nobody could tell that it was done.
    await this.#orSay(() => this.#hear())
    try {
      return await changesDuring(
        work,
        (changes) => noted(() => this.#append({ ...change, parts: coalesced(changes) }, underWay)),
        (part) => underWay.announce(part),
      )
    } finally {
      underWay.end()
    }
  }

  /** Something was done for good: said to whoever would undo the last change, so that not an earlier one goes instead. */
  async noteFinal(label: string, why: string): Promise<void> {
    if (this.#parts.config.session.inLoop) return
    await this.#orSay(() => this.#log.append({ label, parts: [], final: why }))
  }

  /** It is done already: where it cannot be noted, in a home that cannot be written, that is no failure of it. */
  async #orSay(note: () => Promise<unknown>): Promise<void> {
    try {
      await note()
    } catch (error) {
      if (!isRalphError(error)) throw error
      const message = `What was done cannot be undone by ralph undo: ${error.message}.`
      this.#parts.notices.once({ key: 'undo', message, ...(error.hint && { hint: error.hint }) })
    }
  }

  /** The latest first. */
  async list(): Promise<LoggedChange[]> {
    await this.#orSay(() => this.#hear())
    return this.#log.list().toReversed()
  }

  /** The change that is meant, or else the last that was neither undone nor undid another. */
  async toUndo(typed?: string): Promise<LoggedChange> {
    const changes = await this.list()
    const found =
      typed === undefined
        ? changes.find(({ undoes, undoneBy }) => undoes === undefined && undoneBy === undefined)
        : changes.find(({ id }) => String(id) === idOfKind('change', typed))
    if (typed === undefined) requireNotCutShort(changes[0])
    if (!found) throw nothingToUndo(typed)
    if (found.undoneBy !== undefined)
      throw new RalphError('conflict', `${named(found)} has been undone already`, {
        hint: `Bring it back with: ralph undo ${shortId('change', found.undoneBy)}`,
      })
    const final = found.final ?? (found.parts.some(isSecret) ? 'no copy of a key is kept' : undefined)
    if (final === undefined) return found
    const before = changes.find(
      ({ id, undoes, undoneBy, final: also }) =>
        id < found.id && undoes === undefined && undoneBy === undefined && also === undefined,
    )
    throw new RalphError('invalid_input', `${named(found)} cannot be undone: ${final}`, {
      hint: before ? `The change before it: ralph undo ${shortId('change', before.id)}` : 'ralph undo --list',
    })
  }

  /** Undoes one change, all of it or nothing. What undid it can be undone in turn. */
  async undo(change: LoggedChange): Promise<LoggedChange> {
    let undoing: LoggedChange | undefined
    const label =
      change.undoes === undefined ? `undo of "${change.label}"` : change.label.replace(/^undo of/, 'redo of')
    await this.#noting(
      { label, undoes: change.id },
      () => this.#takeBack(change.parts),
      async (note) => {
        undoing = await note()
      },
    )
    if (undoing) return undoing
    throw new RalphError('conflict', `nothing is left of ${named(change)} to undo`, {
      hint: 'ralph undo --list',
    })
  }

  async #append(change: NewChange, underWay: UnderWay): Promise<LoggedChange | undefined> {
    if (change.parts.length === 0 && change.undoes === undefined) return undefined
    return this.#log.append(change, underWay)
  }

  #hear(): Promise<void> {
    return this.#log.hear(async (parts) => {
      const done: UndoableChange[] = []
      for (const ofOne of Map.groupBy(parts, changedThing).values()) {
        const isDone = await Promise.all(ofOne.map((part) => this.#isDone(part)))
        // What came before the last that was done has been done, too.
        done.push(...ofOne.slice(0, isDone.lastIndexOf(true) + 1))
      }
      return coalesced(done)
    })
  }

  /** Whether it was done, and nothing has come after it. */
  async #isDone(part: UndoableChange): Promise<boolean> {
    const { board, config } = this.#parts
    switch (part.of) {
      case 'board':
        return board.isAsLeftBy(part)
      case 'learnings':
        return new VouchedLearnings(config).isAsLeftBy(part)
      case 'settings':
        return isSettingAsLeftBy(config, part)
      case 'choice':
        return chosenFeature(config.project) === part.after
    }
  }

  async #takeBack(parts: readonly UndoableChange[]): Promise<void> {
    const { board, config } = this.#parts
    const choices = parts.filter((part): part is ChoiceChange => part.of === 'choice')
    for (const choice of choices) requireSameChoice(config.project, choice)
    const entries = parts.filter((part): part is EntryChange => part.of === 'board')
    if (entries.length > 0) await board.takeBack(entries)
    for (const part of parts) {
      if (part.of === 'learnings') await new VouchedLearnings(config).takeBack(part)
      if (part.of === 'settings') await takeSettingBack(config, part)
    }
    for (const { before } of choices) chooseFeature(config.project, before)
  }
}

function requireSameChoice(project: string, { after }: ChoiceChange): void {
  if (chosenFeature(project) === after) return
  throw new RalphError('conflict', 'another feature has been chosen since: nothing was undone', {
    hint: 'ralph feature use',
  })
}

/** Whoever undid something and was ended on the way says it again: that must not take back what came before. */
function requireNotCutShort(last: LoggedChange | undefined): void {
  if (last?.undoes === undefined || !last.cutShort) return
  const [undone, undoing] = [shortId('change', last.undoes), shortId('change', last.id)]
  throw new RalphError(
    'conflict',
    `${named(last)} was ended on the way, and is noted with what it had done: ${undone} may be undone in part`,
    { hint: `To have it again: ralph undo ${undoing}, and after that also: ralph undo ${undone}` },
  )
}

function isSecret(part: UndoableChange): boolean {
  return part.of === 'settings' && part.secret === true
}

function named({ id, label }: LoggedChange): string {
  return `${shortId('change', id)} (${label})`
}

function nothingToUndo(typed: string | undefined): RalphError {
  if (typed === undefined)
    return new RalphError('not_found', 'nothing has been changed here that could be undone', {
      hint: 'ralph undo --list shows the last changes through ralph in this project.',
    })
  return new RalphError('not_found', `there is no change ${JSON.stringify(typed)}`, {
    hint: 'ralph undo --list shows the last ones.',
  })
}
