import { type FileHandle, open } from 'node:fs/promises'
import { TextDecoder } from 'node:util'
import { fileError, RalphError, throwIfAborted } from '../errors.ts'
import { chunksOf } from '../files/lines.ts'
import { READABLE } from './agent-format.ts'
import type { AgentRun } from './agent-run.ts'
import { type AgentName, agentLabel } from './agents.ts'
import { Collector, type ProcessOutcome } from './collector.ts'
import { unfolded } from './unfolded.ts'

export interface ReadTranscriptOptions {
  /** Whose it is; default: told from its lines. */
  agent?: AgentName | undefined
  /** Only these bytes of it: what a session gained since it was last read. */
  part?: { from: number; to: number } | undefined
  /** Only what came after this moment by the agent's own clock. */
  after?: string | undefined
  /** How the process ended, where whoever started it knows. */
  process?: ProcessOutcome | undefined
  /** For whoever knows that a run was started: then one that printed nothing is a run all the same. */
  mayBeEmpty?: boolean | undefined
  signal?: AbortSignal | undefined
}

/**
 * Reads a recorded run: saved output of an agent's program, or a session file of its own together with the files of its
 * sub-agents. Which agent wrote it is told from its lines. Throws a RalphError that says what the file is instead, if
 * it is no such thing.
 */
export async function readTranscript(path: string, options: ReadTranscriptOptions = {}): Promise<AgentRun> {
  const { agent, part, after, process, mayBeEmpty, signal } = options
  const collector = new Collector({ agent, after })
  const lines = await unfolded(path, agent)
  if (lines) {
    for (const line of lines) collector.pushObject(line)
    return requireTranscript(collector.finish(process), path, mayBeEmpty, agent)
  }
  if (part) {
    // Running totals of the session stand in what came before, and whose it is: the part goes on from there.
    collector.passing = true
    await readInto(collector, path, signal, { from: 0, to: part.from })
    collector.passing = false
  }
  await readInto(collector, path, signal, part)
  collector.endInput()
  const companions = part ? undefined : await collector.format?.companions?.(path)
  for (const file of companions ?? []) {
    await readInto(collector, file, signal)
    collector.endInput()
  }
  return requireTranscript(collector.finish(process), path, mayBeEmpty, agent)
}

/** The same of an agent's output as it arrives: portions of bytes, or whole lines of text without their line feeds. */
export async function readTranscriptStream(
  chunks: AsyncIterable<string | Uint8Array>,
  { agent, process, signal }: Pick<ReadTranscriptOptions, 'agent' | 'process' | 'signal'> = {},
): Promise<AgentRun> {
  const collector = new Collector({ agent })
  for await (const chunk of chunks) {
    throwIfAborted(signal)
    if (typeof chunk === 'string') collector.pushLine(chunk)
    else collector.push(chunk)
  }
  return requireTranscript(collector.finish(process), 'the input', false, agent)
}

/** Refuses what holds no line of an agent we know: nothing of it may be recorded. */
export function requireTranscript(
  run: AgentRun,
  name: string,
  mayBeEmpty = false,
  agent?: AgentName,
): AgentRun {
  const { total, unknown, broken } = run.lines
  if (run.format !== undefined || (mayBeEmpty && unknown + broken === 0)) return run
  const hint = agent === undefined ? READABLE : 'Leave --format out to have it told by its lines.'
  if (total === 0) throw new RalphError('invalid_input', `${name} is empty: there is no run in it`, { hint })
  const which = total === 1 ? 'its only line is not' : `none of its ${total} lines is`
  const whose = agent === undefined ? 'an agent that ralph can read' : agentLabel(agent)
  const what = unknown > broken ? `from a run of ${whose}` : 'JSON'
  throw new RalphError('invalid_input', `${name} is no transcript: ${which} ${what}`, { hint })
}

async function readInto(
  collector: Collector,
  path: string,
  signal: AbortSignal | undefined,
  part: { from: number; to: number } = { from: 0, to: Number.POSITIVE_INFINITY },
): Promise<void> {
  let file: FileHandle | undefined
  let decoder: TextDecoder | 'none' | undefined
  try {
    file = await open(path, 'r')
    for await (const chunk of chunksOf(file, part.from, part.to)) {
      throwIfAborted(signal)
      decoder ??= decoderFor(chunk, path)
      collector.push(decoder === 'none' ? chunk : decoder.decode(chunk, { stream: true }))
    }
  } catch (error) {
    throw fileError(error, path, 'cannot read the transcript')
  } finally {
    await file?.close()
  }
}

/** Shells on Windows redirect as UTF-16; anything else with null bytes is no text at all. */
function decoderFor(chunk: Buffer, path: string): TextDecoder | 'none' {
  if (startsWith(chunk, 0xff, 0xfe)) return new TextDecoder('utf-16le')
  if (startsWith(chunk, 0xfe, 0xff)) return new TextDecoder('utf-16be')
  const compressed = startsWith(chunk, 0x1f, 0x8b)
  if (!compressed && !chunk.subarray(0, 8_192).includes(0)) return 'none'
  throw new RalphError('invalid_input', `${path} is a binary file, not a transcript`, {
    hint: compressed
      ? `It is compressed: run \`gunzip\` on it first.`
      : 'Give the JSON lines the agent wrote, as text.',
  })
}

function startsWith(chunk: Buffer, first: number, second: number): boolean {
  return chunk[0] === first && chunk[1] === second
}
