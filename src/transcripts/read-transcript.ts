import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { TextDecoder } from 'node:util'
import { errnoOf, fileError, RalphError, throwIfAborted } from '../errors.ts'
import type { AgentRun } from './agent-run.ts'
import { type CollectOptions, Collector, type ProcessOutcome } from './collector.ts'

export interface CollectFileOptions extends CollectOptions {
  signal?: AbortSignal
}

/** Large enough to keep the disk busy, small enough to be nothing. */
const CHUNK = 256 * 1024

/**
 * Reads a recorded run: saved `stream-json` output, or a session file of Claude Code together with the files of its
 * sub-agents. Throws a RalphError that says what the file is instead, if it is no such thing.
 */
export async function collectFile(path: string, options: CollectFileOptions = {}): Promise<AgentRun> {
  const collector = new Collector(options)
  await readInto(collector, path, options.signal)
  for (const file of await subAgentFiles(path)) await readInto(collector, file, options.signal)
  const run = collector.finish()
  requireTranscript(run, path)
  return run
}

/** Takes whole lines as `readline` gives them, or chunks as a process prints them when they end with a line feed. */
export async function collectLines(
  lines: AsyncIterable<string> | Iterable<string>,
  options: CollectOptions & ProcessOutcome = {},
): Promise<AgentRun> {
  const collector = new Collector(options)
  for await (const line of lines) collector.pushLine(line)
  return collector.finish(options)
}

/** Refuses a file in which no line is from an agent's run. A run that printed nothing is for the caller to judge. */
export function requireTranscript(run: AgentRun, name: string): void {
  if (run.format !== undefined) return
  const { total, unknown, broken } = run.lines
  const hint =
    'Give the output of `claude -p … --output-format stream-json --verbose`, or a session file from ~/.claude/projects.'
  if (total === 0) throw new RalphError('invalid_input', `${name} is empty: there is no run in it`, { hint })
  const which = total === 1 ? 'its only line is not' : `none of its ${total} lines is`
  const what = unknown > broken ? 'from an agent run' : 'JSON'
  throw new RalphError('invalid_input', `${name} is no transcript: ${which} ${what}`, { hint })
}

async function readInto(collector: Collector, path: string, signal: AbortSignal | undefined): Promise<void> {
  let first = true
  let decoder: TextDecoder | undefined
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK })) {
      throwIfAborted(signal)
      if (first) decoder = decoderFor(chunk, path)
      first = false
      collector.push(decoder ? decoder.decode(chunk, { stream: true }) : chunk)
    }
    collector.endInput()
  } catch (error) {
    throw fileError(error, path, 'cannot read the transcript')
  }
}

/** Shells on Windows redirect as UTF-16; anything else with null bytes is no text at all. */
function decoderFor(chunk: Buffer, path: string): TextDecoder | undefined {
  if (startsWith(chunk, 0xff, 0xfe)) return new TextDecoder('utf-16le')
  if (startsWith(chunk, 0xfe, 0xff)) return new TextDecoder('utf-16be')
  const compressed = startsWith(chunk, 0x1f, 0x8b)
  if (!compressed && !chunk.subarray(0, 8_192).includes(0)) return undefined
  throw new RalphError('invalid_input', `${path} is a binary file, not a transcript`, {
    hint: compressed
      ? `It is compressed: run \`gunzip\` on it first.`
      : 'Give the JSON lines the agent wrote, as text.',
  })
}

function startsWith(chunk: Buffer, first: number, second: number): boolean {
  return chunk[0] === first && chunk[1] === second
}

/** Claude Code keeps what its sub-agents did in `<session>/subagents/` beside `<session>.jsonl`. */
async function subAgentFiles(path: string): Promise<string[]> {
  if (!path.endsWith('.jsonl')) return []
  const directory = join(path.slice(0, -'.jsonl'.length), 'subagents')
  try {
    const names = await readdir(directory)
    return names
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .map((name) => join(directory, name))
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return []
    throw fileError(error, directory, "cannot read the sub-agents' transcripts")
  }
}
