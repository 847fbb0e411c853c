import { readFileSync } from 'node:fs'
import { processStat } from '../../files/process-stat.ts'
import { agentCalled } from '../../transcripts/agents.ts'
import { listCommands, type ProcessCommand } from './process-table.ts'

/** They only pass on what they are told: whoever started them has started us. */
const PASSING_ON =
  /^(?:-?(?:ba|z|da|k|a|fi)?sh|busybox|env|sudo|nohup|setsid|timeout|xargs|npm|npx|pwsh|powershell|cmd)(?:\.exe)?$/i

interface Ancestor {
  parent: number
  /** Its program, or for a script that of the script. */
  name: string
  /** Whether the environment it was started with is that of an agent. */
  marked: boolean
}

/**
 * Whether the shell that started this process is an agent's. The environment tells too, but in front of a command anybody
 * can take the marks out of it: those of the shell itself stay.
 */
export async function isBelowAgent(marks: readonly string[]): Promise<boolean> {
  if (process.platform === 'linux') return isOfAgent((pid) => linuxAncestor(pid, marks), process.ppid)
  const table = await listCommands(process.platform)
  return isOfAgent((pid) => ancestorIn(table, pid), process.ppid)
}

/** No further than to the first program that is none of those: what it does in whose name nobody can see. */
export function isOfAgent(look: (pid: number) => Ancestor | undefined, pid: number): boolean {
  const asked = new Set<number>()
  for (let at = pid; !asked.has(at); ) {
    const found = look(at)
    if (!found) return false
    if (agentCalled(found.name) !== undefined) return true
    if (!PASSING_ON.test(found.name.split(' ')[0]!)) return false
    if (found.marked) return true
    asked.add(at)
    at = found.parent
  }
  return false
}

function linuxAncestor(pid: number, marks: readonly string[]): Ancestor | undefined {
  const stat = processStat(pid)
  if (!stat) return undefined
  // By its words: a program may call its main thread as it likes.
  const words = told(`/proc/${pid}/cmdline`).split('\0')
  return { parent: stat.parent, name: programOf(words) || stat.name, marked: isMarked(pid, marks) }
}

function isMarked(pid: number, marks: readonly string[]): boolean {
  const variables = told(`/proc/${pid}/environ`).split('\0')
  return variables.some((one) => marks.some((mark) => one.startsWith(`${mark}=`) && one !== `${mark}=`))
}

/** Nothing is told of a process of another user, or of one that has ended. */
function told(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Where nobody sees the environment of others, the names have to do. */
export function ancestorIn(table: ReadonlyMap<number, ProcessCommand>, pid: number): Ancestor | undefined {
  const entry = table.get(pid)
  if (!entry) return undefined
  const words = [...entry.command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!)
  return { parent: entry.parent, name: programOf(words), marked: false }
}

/** For a script that Node runs, the script. */
function programOf([program = '', script = '']: readonly string[]): string {
  return nameOf(program) === 'node' ? nameOf(script) : nameOf(program)
}

function nameOf(word: string): string {
  return word
    .split(/[\\/]/)
    .at(-1)!
    .replace(/\.(?:exe|cmd|js|mjs|cjs)$/i, '')
}
