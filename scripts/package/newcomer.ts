/** Somebody who has just installed the package: an empty home, no rights but their own, a package that they cannot change. */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { filesIn } from './contents.ts'

/** `nobody` on every Unix that we know of. */
const NOBODY = 65534

const onWindows = process.platform === 'win32'

/** Of our own surroundings nothing that says where things are, or how programs behave. */
const NOT_THEIRS = /^(?:npm_|ralph_|xdg_|claude|node_|init_cwd|github_|ci$)/i

/** Where on a Unix anybody may write. */
const FOR_EVERYBODY = [tmpdir(), '/tmp', '/var/tmp', '/dev/shm']

export class Newcomer {
  /** Who it is, in words. */
  readonly title: string
  readonly home: string
  readonly project: string
  readonly #options: SpawnOptions
  readonly #command: readonly [string, ...string[]]
  readonly #before: ReadonlySet<string>
  readonly #identity: { uid: number; gid: number } | undefined

  /** `prefix`: where npm has installed the package globally. */
  constructor(folder: string, prefix: string) {
    this.home = join(folder, 'home')
    this.project = join(folder, 'project')
    // Who is root may become anybody, in most containers too.
    this.#identity =
      process.getuid?.() === 0 && spawnSync(process.execPath, ['-v'], { uid: NOBODY }).error === undefined
        ? { uid: NOBODY, gid: NOBODY }
        : undefined
    this.title = this.#identity ? 'as nobody' : 'as the current user'
    const temporary = join(this.home, 'tmp')
    const bin = join(folder, 'bin')
    for (const made of [this.home, this.project, temporary, bin]) mkdirSync(made, { recursive: true })
    chmodSync(folder, 0o755)
    if (this.#identity) for (const own of [this.home, this.project, temporary]) chownSync(own, NOBODY, NOBODY)
    const node = this.#nodeIn(bin)
    const theirs = Object.entries(process.env).filter(([name]) => !NOT_THEIRS.test(name))
    const path = [bin, onWindows ? prefix : join(prefix, 'bin'), process.env['PATH']].join(delimiter)
    this.#options = {
      cwd: this.project,
      ...this.#identity,
      env: {
        ...Object.fromEntries(theirs),
        NO_COLOR: '1',
        ...{ PATH: path, Path: path, HOME: this.home, USERPROFILE: this.home },
        ...{ TMPDIR: temporary, TEMP: temporary, TMP: temporary },
      },
    }
    this.#command = onWindows
      ? [node, join(prefix, 'node_modules', 'ralph-memory', 'bin', 'ralph.js')]
      : [join(prefix, 'bin', 'ralph')]
    this.#before = new Set(this.#ownOutside())
  }

  /** What the command prints; an error if it fails. */
  readonly ralph = (...words: string[]): string => {
    const [command, ...first] = this.#command
    return this.#ended(command, [...first, ...words])
  }

  readonly node = (...words: string[]): string => this.#ended(onWindows ? process.execPath : 'node', words)

  start(...words: string[]): ChildProcess {
    const [command, ...first] = this.#command
    return spawn(command, [...first, ...words], { ...this.#options, stdio: ['pipe', 'pipe', 'ignore'] })
  }

  /** Left where anybody may write, or in the folder for things of a moment. */
  leftOutside(): string[] {
    return [
      ...this.#ownOutside().filter((path) => !this.#before.has(path)),
      ...filesIn(join(this.home, 'tmp')).filter((file) => !file.startsWith('node-compile-cache/')),
    ]
  }

  #ended(command: string, words: readonly string[]): string {
    const ended = spawnSync(command, words, { ...this.#options, encoding: 'utf8', timeout: 300_000 })
    if (ended.status === 0) return ended.stdout
    const why = ended.error ?? `${ended.stdout}\n${ended.stderr}`.trim()
    throw new Error(`${[command, ...words].join(' ')} failed (${ended.status ?? ended.signal}):\n${why}`)
  }

  /** Our own Node under its usual name; copied where others may not go to it. */
  #nodeIn(bin: string): string {
    const node = join(bin, onWindows ? 'node.exe' : 'node')
    if (onWindows) return process.execPath
    symlinkSync(process.execPath, node)
    if (spawnSync(node, ['-v'], { ...this.#identity }).status !== 0) {
      rmSync(node)
      copyFileSync(process.execPath, node)
    }
    return node
  }

  #ownOutside(): string[] {
    if (!this.#identity) return []
    return [...new Set(FOR_EVERYBODY)].flatMap((folder) => {
      const names = lstatSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder) : []
      const paths = names.map((name) => join(folder, name))
      return paths.filter((path) => lstatSync(path, { throwIfNoEntry: false })?.uid === NOBODY)
    })
  }
}
