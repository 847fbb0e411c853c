import { isatty } from 'node:tty'
import type { Command } from 'commander'
import { HELD_BACK, isHeldBack } from '../held-back.ts'
import { recordForsakenLater } from '../hooks/forsaken.ts'
import { PROJECT_IDENTITY } from '../identity/identity.ts'
import type { Notice } from '../notices.ts'
import { type OpenOptions, openRalph, type Ralph } from '../ralph.ts'
import { Output } from './output.ts'
import { tellsNothing } from './tells-nothing.ts'
import { WorkView } from './work-view.ts'

export {
  collectOneOf,
  parseFraction,
  parseOneOf,
  parseTime,
  parseWholeNumber,
  typedQuestion,
} from '../conversation-commands/typed-values.ts'

export { withExamples } from './examples.ts'

export interface CommonOptions {
  project?: string
  json?: boolean
}

export interface Run<Options> {
  ralph: Ralph
  options: Options & CommonOptions
  out: Output
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  /** Aborted by a second Ctrl-C, in a command that has something to finish first. */
  killSignal: AbortSignal
}

export interface CommandBehaviour<Options = unknown> {
  /** `patient`: it ends by itself on the first interrupt and hurries on the second; only the third ends it at once. */
  interrupts?: 'patient'
  /** The key of a notice that the command itself is about. */
  silences?: string
  /** It has no sessions recorded that nobody saw the end of: what they would go into may be about to go. */
  leavesSessions?: boolean
  /** Refused to agents, whatever its options: what completes "an agent cannot …". */
  forPeople?: string
  /** What it works with, where that is not the project alone; default: `openRalph`. */
  open?: (request: OpenOptions, options: Options & CommonOptions, out: Output) => Promise<Ralph>
}

/** A command that prints data: takes --project and --json, opens ralph for its run, and closes it. */
export function ralphCommand<Options>(
  command: Command,
  handler: (run: Run<Options>, ...args: string[]) => Promise<void>,
  behaviour: CommandBehaviour<Options> = {},
): Command {
  return command
    .option('--project <dir>', 'the project (default: nearest folder with .ralph or .git)')
    .option('--json', 'print JSON for programs')
    .action(async (...received: unknown[]) => {
      const options = command.opts() as Options & CommonOptions
      const args = received.slice(0, -2).flat() as string[]
      const out = new Output(options)
      const onNotice = (notice: Notice) => notice.key !== behaviour.silences && out.notice(notice)
      // Asked of the descriptors: making the streams for it takes 3 ms.
      const via = isatty(0) && isatty(2) ? 'terminal' : 'command'
      const { open = openRalph } = behaviour
      const onWork = new WorkView(out, isatty(2)).show
      const ralph = await open({ project: options.project, onNotice, onWork, via }, options, out)
      if (!tellsNothing(command) && (await isHeldBack(ralph.config))) {
        out.result({ heldBack: true, note: HELD_BACK }, () => HELD_BACK, { ours: true })
        return ralph.close()
      }
      if (!behaviour.leavesSessions) recordForsakenLater(ralph.config)
      if (via === 'terminal' && !out.json && behaviour.silences !== PROJECT_IDENTITY) {
        const { askAboutCopy } = await import('./ask-about-copy.ts')
        await askAboutCopy(ralph)
      }
      const interrupts = new Interrupts(behaviour.interrupts === 'patient' ? 2 : 1)
      try {
        if (behaviour.forPeople !== undefined)
          await (await import('../person.ts')).requirePerson(ralph.config, behaviour.forPeople)
        const { signal, killSignal } = interrupts
        await handler({ ralph, options, out, signal, killSignal }, ...args)
      } finally {
        interrupts.close()
        await ralph.close()
      }
    })
}

/** Ctrl-C, and whatever else asks us to end: first kindly, then in a hurry, then at once. */
class Interrupts {
  readonly #patience: number
  readonly #stop = new AbortController()
  readonly #kill = new AbortController()
  readonly #signals: readonly NodeJS.Signals[]
  #count = 0

  constructor(patience: number) {
    this.#patience = patience
    this.#signals = patience > 1 ? ['SIGINT', 'SIGTERM', 'SIGHUP'] : ['SIGINT']
    for (const signal of this.#signals) process.on(signal, this.#onSignal)
  }

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  get killSignal(): AbortSignal {
    return this.#kill.signal
  }

  close(): void {
    for (const signal of this.#signals) process.off(signal, this.#onSignal)
  }

  readonly #onSignal = (): void => {
    this.#count++
    if (this.#count > this.#patience) process.exit(130)
    if (this.#count === 1) this.#stop.abort()
    else this.#kill.abort()
  }
}
