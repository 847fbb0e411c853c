import { RalphError } from '../errors.ts'

/** The words were not understood; nothing was done. */
export class UsageError extends RalphError {
  constructor(message: string, hint?: string) {
    super('invalid_input', message, hint === undefined ? {} : { hint })
  }
}
