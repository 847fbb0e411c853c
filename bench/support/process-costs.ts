import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The most memory that a process has held, in MB. Linux tells of any process and without what its parent had; elsewhere of this one. */
export function peakMegabytes(pid = process.pid): number {
  return statusOf(pid, 'VmHWM') ?? (pid === process.pid ? process.resourceUsage().maxRSS / 1024 : Number.NaN)
}

/** What it holds now. Linux tells; elsewhere it stays unknown. */
export function residentMegabytes(pid: number): number {
  return statusOf(pid, 'VmRSS') ?? Number.NaN
}

/** Milliseconds of the processor that all threads of a process have had. Linux tells of any, others of this one. */
export function processorTime(pid = process.pid): number {
  if (pid === process.pid) {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }
  const threads = `/proc/${pid}/task`
  if (!existsSync(threads)) return Number.NaN
  const nanoseconds = readdirSync(threads).map((thread) =>
    Number(readFileSync(join(threads, thread, 'schedstat'), 'utf8').split(' ')[0]),
  )
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6
}

/** What the files of a folder say they take, in MB. */
export function diskMegabytes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0) / 1e6
}

function statusOf(pid: number, field: string): number | undefined {
  const path = `/proc/${pid}/status`
  if (!existsSync(path)) return undefined
  const kilobytes = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(path, 'utf8'))?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
}
