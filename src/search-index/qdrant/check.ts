import { randomBytes } from 'node:crypto'
import { RalphError } from '../../errors.ts'
import { CHECK_TIMEOUT_MS } from '../../services/silent-services.ts'
import { shownUrl } from '../../text/shown-url.ts'
import type { CallOptions, QdrantConnection } from './connection.ts'
import { collectionNames, pathOf } from './reading.ts'

export interface ServerHealth {
  ok: boolean
  detail: string
  hint?: string
}

/**
 * Does what we do: reads with our key, and thoroughly also writes and removes. That something answers at `/` says nothing, it
 * wants no key.
 */
export async function checkServer(
  connection: QdrantConnection,
  { thorough, signal }: { thorough: boolean; signal: AbortSignal | undefined },
): Promise<ServerHealth> {
  const options: CallOptions = { signal, timeoutMs: CHECK_TIMEOUT_MS, inAnyCase: true }
  try {
    const version = await connection.version(options)
    await collectionNames(connection, options)
    if (thorough) await writeAndRemove(connection, { signal, kind: 'write' })
    return { ok: true, detail: `qdrant ${version} at ${shownUrl(connection.url)}` }
  } catch (error) {
    if (!(error instanceof RalphError) || error.code === 'cancelled') throw error
    return { ok: false, detail: error.message, ...(error.hint && { hint: error.hint }) }
  }
}

/** In a collection of its own: nobody's documents are touched, whatever happens in between. */
async function writeAndRemove(connection: QdrantConnection, options: CallOptions): Promise<void> {
  const path = pathOf(`ralph-doctor-${randomBytes(4).toString('hex')}`)
  await connection.call({ method: 'PUT', path, body: { vectors: {} } }, options)
  try {
    const points = [{ id: 1, vector: {}, payload: {} }]
    await connection.call({ method: 'PUT', path: `${path}/points?wait=true`, body: { points } }, options)
    await connection.call(
      { method: 'POST', path: `${path}/points/delete?wait=true`, body: { points: [1] } },
      options,
    )
  } finally {
    await connection.find({ method: 'DELETE', path }, options)
  }
}
