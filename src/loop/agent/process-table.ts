import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { environmentOfProcess } from '../../files/ancestors.ts'
import { processStat } from '../../files/process-stat.ts'

const run = promisify(execFile)

/** Every process of a run carries it, also one that left its parent and its group. */
export const RUN_VARIABLE = 'RALPH_LOOP_RUN'

export interface ProcessEntry {
  pid: number
  parent: number
  /** Together with the number it tells a process from a later one with the same number. Not every listing tells it. */
  started?: string
  /** Carries the mark of the run, as far as one can see. */
  marked: boolean
}

/** All processes of this machine; none where they cannot be listed, which ends what a run left less well, but no run. */
export async function listProcesses(runId: string, platform: NodeJS.Platform): Promise<ProcessEntry[]> {
  if (platform === 'linux') return linuxProcesses(runId).catch(() => [])
  const listing = platform === 'win32' ? windowsListing() : posixListing(platform)
  const entries = parseListing(await listing.catch(() => ''), runId)
  if (platform !== 'win32' || entries.length > 0) return entries
  return parsePairs(await wmicListing().catch(() => '')) // PowerShell is forbidden, or is none
}

export interface ProcessCommand {
  parent: number
  command: string
}

/** What each process was started with, by its number; where the system has no `/proc` to look into. */
export async function listCommands(platform: NodeJS.Platform): Promise<Map<number, ProcessCommand>> {
  if (platform !== 'win32') return parseCommands(await posixCommands().catch(() => ''))
  const listing = fromPowerShell('$($_.ProcessId) $($_.ParentProcessId) $($_.CommandLine)')
  const commands = parseCommands(await listing.catch(() => ''))
  if (commands.size > 0) return commands
  return parseWmicCommands(await wmicListing('CommandLine,ParentProcessId,ProcessId').catch(() => ''))
}

/** Lines of number, parent and command. */
export function parseCommands(text: string): Map<number, ProcessCommand> {
  return commandsIn(text, ([pid, parent, ...command]) => ({ pid, parent, command }))
}

/** Lines of command, parent and number: `wmic` has its columns in the order of the alphabet. */
export function parseWmicCommands(text: string): Map<number, ProcessCommand> {
  return commandsIn(text, (words) => ({
    pid: words.at(-1),
    parent: words.at(-2),
    command: words.slice(0, -2),
  }))
}

function commandsIn(
  text: string,
  read: (words: readonly string[]) => {
    pid: string | undefined
    parent: string | undefined
    command: readonly string[]
  },
): Map<number, ProcessCommand> {
  const table = new Map<number, ProcessCommand>()
  for (const line of text.split('\n')) {
    const { pid = '', parent = '', command } = read(line.trim().split(/\s+/))
    const isNumber = (word: string) => /^\d+$/.test(word)
    if (isNumber(pid) && isNumber(parent))
      table.set(Number(pid), { parent: Number(parent), command: command.join(' ') })
  }
  return table
}

async function posixCommands(): Promise<string> {
  const { stdout } = await run('/bin/ps', ['-axwwo', 'pid=,ppid=,command='], { maxBuffer: 1 << 26 })
  return stdout
}

/** Lines of parent and number, under their names. */
export function parsePairs(text: string): ProcessEntry[] {
  return [...text.matchAll(/^ *(\d+) +(\d+) *\r*$/gm)].map(([, parent, pid]) => ({
    pid: Number(pid),
    parent: Number(parent),
    marked: false,
  }))
}

/** Lines of number, parent, state, start, and where it is shown the command with its environment. */
export function parseListing(text: string, runId: string): ProcessEntry[] {
  const line = /^ *(\d+) +(\d+) +[^\sZ]\S* +(\d+$|\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)(.*)$/gm // Z: has ended
  return [...text.replaceAll('\r', '').matchAll(line)].map(([, pid, parent, started, command]) => ({
    pid: Number(pid),
    parent: Number(parent),
    started: started!,
    marked: ` ${command} `.includes(` ${RUN_VARIABLE}=${runId} `),
  }))
}

async function posixListing(platform: NodeJS.Platform): Promise<string> {
  const flags = platform === 'darwin' ? '-axwwE' : '-axww' // E: with the environment, except of the system's own programs
  const { stdout } = await run('/bin/ps', [flags, '-o', 'pid=,ppid=,stat=,lstart=,command='], {
    env: { LC_ALL: 'C' }, // the start is a date in words
    maxBuffer: 1 << 26,
  })
  return stdout
}

async function windowsListing(): Promise<string> {
  return fromPowerShell('$($_.ProcessId) $($_.ParentProcessId) - $($_.CreationDate.ToFileTimeUtc())')
}

async function fromPowerShell(line: string): Promise<string> {
  const script = `Get-CimInstance Win32_Process | Where-Object CreationDate | ForEach-Object { "${line}" }`
  const { stdout } = await run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script], {
    maxBuffer: 1 << 26,
    windowsHide: true,
  })
  return stdout
}

async function wmicListing(columns = 'ParentProcessId,ProcessId'): Promise<string> {
  const { stdout } = await run('wmic', ['process', 'get', columns], {
    encoding: 'buffer',
    maxBuffer: 1 << 26,
    windowsHide: true,
  })
  // Into a pipe some versions write UTF-16, of which nothing but these letters matters here.
  return stdout.toString('latin1').replaceAll('\0', '')
}

async function linuxProcesses(runId: string): Promise<ProcessEntry[]> {
  const mark = Buffer.from(`\0${RUN_VARIABLE}=${runId}\0`)
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  // Not in turns of the event loop: there is no disk to wait for, and turns take several times as long as reading.
  return pids.flatMap((pid): ProcessEntry[] => {
    const seen = processStat(pid)
    if (!seen || seen.state === 'Z') return [] // has ended meanwhile
    return [
      { pid, parent: seen.parent, started: seen.started, marked: environmentOfProcess(pid).includes(mark) },
    ]
  })
}
