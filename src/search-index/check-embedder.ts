import { RalphError } from '../errors.ts'

interface Identity {
  embedderId: string
  dimensions: number
}

/** Another process may have built the collection again, for another model, since its vectors were made. */
export function checkEmbedder(made: Identity, stored: Identity): void {
  if (made.embedderId === stored.embedderId && made.dimensions === stored.dimensions) return
  throw new RalphError(
    'conflict',
    `the collection holds vectors of ${stored.embedderId}, not of ${made.embedderId}`,
    { retryable: true },
  )
}
