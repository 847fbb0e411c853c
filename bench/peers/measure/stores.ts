import { fork } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { diskMegabytes } from '../../support/process-costs.ts'
import type { DataSet } from '../data/data-set.ts'
import type { Peer } from '../peer.ts'
import type { Filled, Recalled, Searched, SizeFigures } from '../report/figures.ts'
import type { Task } from './store-process.ts'

const PROGRAM = fileURLToPath(new URL('./store-process.ts', import.meta.url))

/** Nobody should fail for want of memory that the machine has: twice what Node takes by itself. */
const HEAP = ['--max-old-space-size=8192']

export interface Within {
  /** For temporary stores. */
  folder: string
  /** Of one store of one size, filling and searching. */
  limitMs: number
  signal: AbortSignal
}

/** Said where something is missing. */
export class Stopped extends Error {}

/** Fills a store and searches it, each in a process of its own. */
export async function measureStore(peer: Peer, data: DataSet, within: Within): Promise<SizeFigures> {
  return inNewFolder(peer, within, async ({ folder, start }) => {
    const figures: SizeFigures = { documents: data.size }
    try {
      const filled = await start<Filled>('fill', data)
      figures.filled = { ...filled, diskMb: diskMegabytes(folder) }
      figures.searched = await start<Searched>('search', data)
    } catch (error) {
      if (!(error instanceof Stopped)) throw error
      figures.stopped = error.message
    }
    return figures
  })
}

/** What a process that measures holds before it opens a store. */
export function measureBare(peer: Peer, data: DataSet, within: Within): Promise<number> {
  return inNewFolder(peer, within, ({ start }) => start<number>('nothing', data))
}

export async function measureRecall(
  peer: Peer,
  data: DataSet,
  within: Within,
): Promise<{ name: string; recall?: number; stopped?: string }> {
  return inNewFolder(peer, within, async ({ start }) => {
    try {
      await start<Filled>('fill', data)
      return { name: peer.name, recall: (await start<Recalled>('recall', data)).recall }
    } catch (error) {
      if (!(error instanceof Stopped)) throw error
      return { name: peer.name, stopped: error.message }
    }
  })
}

interface Run {
  folder: string
  start<Result>(task: Task, data: DataSet): Promise<Result>
}

async function inNewFolder<Result>(
  peer: Peer,
  within: Within,
  use: (run: Run) => Promise<Result>,
): Promise<Result> {
  const folder = join(within.folder, peer.name)
  mkdirSync(folder, { recursive: true })
  const until = performance.now() + within.limitMs
  try {
    return await use({
      folder,
      start: (task, data) => startProcess([task, peer.name, data.folder, folder], until, within),
    })
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Apart, so that memory is its own and a crash is one of its own; what it starts itself goes with it. */
function startProcess<Result>(
  args: readonly string[],
  until: number,
  { limitMs, signal }: Within,
): Promise<Result> {
  signal.throwIfAborted()
  const stdio = ['ignore', 'ignore', 'pipe', 'ipc'] as const
  const detached = process.platform !== 'win32'
  const child = fork(PROGRAM, args, { stdio: [...stdio], detached, execArgv: HEAP })
  const stop = () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid!, 'SIGKILL')
  }
  let [complaint, isLate] = ['', false]
  let result: Result | undefined
  const timer = setTimeout(
    () => {
      isLate = true
      stop()
    },
    Math.max(0, until - performance.now()),
  )
  signal.addEventListener('abort', stop)
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-2_000)
  })
  child.on('message', (message) => {
    result = message as Result
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      if (signal.aborted) reject(signal.reason)
      else if (isLate) reject(new Stopped(`over ${inWords(limitMs)}`))
      else if (result === undefined)
        reject(new Stopped(reasonIn(complaint) ?? `ended with exit code ${code}`))
      else resolve(result)
    })
  })
}

/** Of this machine: no page should name them. */
const PATHS = /(?:\/|[A-Z]:\\)[\w@./\\-]{8,}/g

/** The line that says what went wrong, as far as one does. */
function reasonIn(complaint: string): string | undefined {
  const lines = complaint.split('\n').map((line) => line.trim())
  const line = lines.find((one) => /Error\b.*: /.test(one)) ?? lines.find((one) => /FATAL ERROR/.test(one))
  return line?.replace(PATHS, '…').slice(0, 160)
}

function inWords(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000)
  return seconds % 60 === 0 && seconds >= 120 ? `${seconds / 60} min` : `${seconds} s`
}
