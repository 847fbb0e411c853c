import { someOf } from '../../text/some-of.ts'
import { truncate } from '../../text/truncate.ts'
import type { AgentRun } from '../../transcripts/agent-run.ts'
import { type FileAction, RECORD_CAPS, type RecordedError, type TouchedFile } from '../record.ts'
import { serviceWords } from './ending.ts'

/** Shorter texts ("Starting.", "Now the tests.") announce the next step. */
const TELLING = 50
const MOST_NAMES = 5

/** What came of the run: its closing words, else the last telling text, else what can be said from the facts. */
export function extractSummary(
  run: AgentRun,
  files: readonly TouchedFile[],
  errors: readonly RecordedError[],
): string {
  return truncate(spoken(run) ?? composed(run, files, errors), RECORD_CAPS.summary)
}

function spoken(run: AgentRun): string | undefined {
  const said = run.texts.filter(({ subAgent }) => !subAgent).map(({ text }) => text.trim())
  const telling = said.findLast((text) => text.length > TELLING)
  const closing = run.result?.text.trim()
  if (!closing) return telling
  if (run.result!.isError) return telling ? `${closing}\n\nBefore that: ${telling}` : closing
  // An answer cut by the output limit goes on in the next message; the result holds only its last part.
  const whole = said.at(-1)
  return whole?.endsWith(closing) ? whole : closing
}

function composed(run: AgentRun, files: readonly TouchedFile[], errors: readonly RecordedError[]): string {
  const last = run.texts.findLast(({ subAgent }) => !subAgent)?.text.trim()
  const ending = endingWords(run)
  const parts = [
    run.prompt && `Asked: ${truncate(run.prompt.trim(), 300)}`,
    last,
    ...(['created', 'modified', 'deleted'] as const).map((action) => fileWords(action, files)),
    commandWords(run),
    errorWords(errors.filter(({ message }) => message !== ending)),
    ending,
  ]
  return parts
    .filter((part) => typeof part === 'string' && part !== '')
    .map((part) => (/[.!?…]$/.test(part as string) ? part : `${part}.`))
    .join(' ')
}

function fileWords(action: FileAction, files: readonly TouchedFile[]): string {
  const names = files.filter((file) => file.action === action).map(({ path }) => path)
  return names.length === 0
    ? ''
    : `${action.charAt(0).toUpperCase()}${action.slice(1)} ${someOf(names, MOST_NAMES)}`
}

function commandWords(run: AgentRun): string {
  const commands = run.toolCalls.flatMap(({ command }) =>
    command ? [`\`${truncate(command.split('\n')[0]!, 80)}\``] : [],
  )
  return commands.length === 0 ? '' : `Ran ${someOf([...new Set(commands)], MOST_NAMES)}`
}

function errorWords(errors: readonly RecordedError[]): string {
  if (errors.length === 0) return ''
  return `${errors.length === 1 ? 'One error' : `${errors.length} errors, first`}: ${errors[0]!.message}`
}

function endingWords(run: AgentRun): string {
  const { ending, service, process, toolCalls, texts, result } = run
  switch (ending) {
    case 'cut':
      return cutWords(process)
    case 'interrupted':
      return 'The run was interrupted'
    case 'service_failed':
      return (service && serviceWords(service)) || 'The run was stopped by a rate limit'
    case 'failed':
      return result?.errors[0]?.trim() || 'The run ended with an error'
  }
  if (texts.some(({ subAgent }) => !subAgent)) return ''
  const names = someOf([...new Set(toolCalls.map(({ name }) => name))], MOST_NAMES)
  return names === '' ? 'The run did nothing' : `The run used ${names} and said nothing`
}

function cutWords({ stopped, signal, exitCode }: AgentRun['process']): string {
  if (stopped?.reason === 'time') return 'The run was stopped because its time was up'
  if (stopped?.reason === 'silence') return 'The run was stopped because it fell silent'
  if (signal) return `The run was killed (${signal})`
  return exitCode
    ? `The run ended with exit code ${exitCode} and no result`
    : 'The run ended without a result'
}
