import { join } from 'node:path'
import { deferred, once } from '../deferred.ts'
import { RalphError } from '../errors.ts'
import { parseFeatureName } from '../files/feature-name.ts'
import { withFileLock } from '../files/file-lock.ts'
import { makeOwnFolder } from '../files/own-files.ts'
import { Seal } from '../files/seal.ts'
import type { LearningStore } from '../learnings/store.ts'
import type { EntryChange } from '../noted-change.ts'
import { describeState } from './current-state.ts'
import { DISCIPLINES, type Discipline, type DisciplinePatch, type NewDiscipline } from './discipline.ts'
import { EntryStore } from './entry-store.ts'
import { FEATURES, type Feature, type FeaturePatch, type NewFeature, stillUsed } from './feature.ts'
import { learningStore } from './learning-store.ts'
import { waitForNothingGone } from './mend.ts'
import { MetadataFile } from './metadata.ts'
import { type BoardProblem, boardProblems } from './problems.ts'
import { readyTasks } from './readiness.ts'
import { isLeftAsBy, takeBackAll } from './take-back.ts'
import {
  type NewTask,
  TASK_CAPS,
  TASKS,
  type Task,
  type TaskComment,
  type TaskPatch,
  type TaskStatus,
} from './task.ts'
import { WriteLog } from './write-log.ts'

export interface BoardOptions {
  /** `<project>/.ralph/db`: what people and agents edit. */
  dir: string
  /** A folder for the lock and other things that may be deleted. */
  cacheDir: string
  /** For what is kept there; default: of this process. */
  seal?: Seal | undefined
  /** Whether whoever writes through this board is the agent of a run. Only asked while there is one. */
  isAgent?: () => Promise<boolean>
  now?: () => Date
}

export interface TaskFilter {
  feature?: string | undefined
  status?: TaskStatus | undefined
}

export function openBoard(options: BoardOptions): Board {
  return new Board(options)
}

/** Features, tasks and disciplines, kept in YAML that people and agents edit too. Every call sees what is on the disk. */
export class Board {
  readonly dir: string
  readonly #cacheDir: string
  readonly #now: () => Date
  readonly #features: EntryStore<Feature>
  readonly #tasks: EntryStore<Task>
  readonly #disciplines: EntryStore<Discipline>
  readonly #metadata: MetadataFile
  readonly #log: WriteLog

  /** @internal */
  constructor({ dir, cacheDir, seal = new Seal(), isAgent, now }: BoardOptions) {
    this.dir = dir
    this.#cacheDir = cacheDir
    this.#now = now ?? (() => new Date())
    this.#log = new WriteLog(join(cacheDir, 'board-writes.jsonl'), isAgent ?? (async () => false), seal)
    this.#features = new EntryStore(dir, { cacheDir, seal }, FEATURES, this.#log)
    this.#tasks = new EntryStore(dir, { cacheDir, seal }, TASKS, this.#log)
    this.#disciplines = new EntryStore(dir, { cacheDir, seal }, DISCIPLINES, this.#log)
    this.#metadata = new MetadataFile(dir)
  }

  features(): Promise<Feature[]> {
    return this.#features.all()
  }

  feature(name: string): Promise<Feature> {
    return this.#features.get(parseFeatureName(name))
  }

  findFeature(name: string): Promise<Feature | undefined> {
    return this.#features.find(name)
  }

  addFeature(feature: NewFeature): Promise<Feature> {
    const name = parseFeatureName(feature.name)
    return this.#change(() => this.#features.add({ ...feature, name, created: this.#timestamp() }))
  }

  patchFeature(name: string, patch: FeaturePatch): Promise<Feature> {
    refuseRename(name, patch)
    return this.#change(() => this.#features.patch(name, () => patch))
  }

  /** For changes that depend on what is there: `change` runs under the lock. */
  updateFeature(name: string, change: (feature: Feature) => FeaturePatch): Promise<Feature> {
    return this.#change(() => this.#features.patch(name, change))
  }

  removeFeature(name: string): Promise<Feature> {
    return this.#change(async () => {
      const users = (await this.tasks({ feature: name })).map((task) => task.id)
      if (users.length > 0) {
        throw stillUsed(name, users)
      }
      return this.#features.remove(name)
    })
  }

  /** Where a feature stands, computed from its tasks. */
  async currentState(feature: string): Promise<string> {
    return describeState(await this.tasks({ feature }))
  }

  async tasks(filter: TaskFilter = {}): Promise<Task[]> {
    const tasks = await this.#tasks.all()
    return tasks.filter(
      (task) =>
        (filter.feature === undefined || task.feature === filter.feature) &&
        (filter.status === undefined || task.status === filter.status),
    )
  }

  task(id: number): Promise<Task> {
    return this.#tasks.get(id)
  }

  async readyTasks(): Promise<Task[]> {
    return readyTasks(await this.#tasks.all())
  }

  addTask(task: NewTask): Promise<Task> {
    return this.#change(async () => {
      const used = (await this.#tasks.all()).map((other) => other.id)
      const id = task.id ?? (await this.#metadata.takeTaskId(used))
      return this.#tasks.add({
        ...task,
        id,
        status: task.status ?? 'pending',
        ...this.#completion(task.status),
      })
    })
  }

  patchTask(id: number, patch: TaskPatch): Promise<Task> {
    return this.updateTask(id, () => patch)
  }

  /** For changes that depend on what is there: `change` runs under the lock. */
  updateTask(id: number, change: (task: Task) => TaskPatch): Promise<Task> {
    return this.#change(() =>
      this.#tasks.patch(id, (task) => {
        const patch = change(task)
        const keepsStatus = patch.status === undefined || patch.status === task.status
        return { ...patch, ...(keepsStatus ? {} : this.#completion(patch.status)) }
      }),
    )
  }

  /** Notes when a task became done that somebody marked as done in the file. */
  stampCompletion(id: number): Promise<Task> {
    return this.#change(() =>
      this.#tasks.patch(id, ({ status, completed }) =>
        status === 'done' && completed === undefined ? { completed: this.#timestamp() } : {},
      ),
    )
  }

  addComment(id: number, comment: TaskComment): Promise<Task> {
    return this.#change(() =>
      this.#tasks.patch(id, (task) => {
        if (task.comments.length >= TASK_CAPS.comments) {
          throw new RalphError('limit_reached', `task ${id} already has ${TASK_CAPS.comments} comments`, {
            hint: 'Remove old ones from tasks.yaml, or split the task.',
          })
        }
        return { comments: [...task.comments, { created: this.#timestamp(), ...comment }] }
      }),
    )
  }

  /** Tasks that waited for the removed one no longer do. */
  removeTask(id: number): Promise<Task> {
    return this.#change(async () => {
      const removed = await this.#tasks.remove(id)
      for (const waiting of (await this.#tasks.all()).filter((task) => task.blockedBy.includes(id))) {
        await this.#tasks.patch(waiting.id, (task) => ({
          blockedBy: task.blockedBy.filter((other) => other !== id),
        }))
      }
      return removed
    })
  }

  disciplines(): Promise<Discipline[]> {
    return this.#disciplines.all()
  }

  discipline(name: string): Promise<Discipline> {
    return this.#disciplines.get(name)
  }

  findDiscipline(name: string): Promise<Discipline | undefined> {
    return this.#disciplines.find(name)
  }

  addDiscipline(discipline: NewDiscipline): Promise<Discipline> {
    return this.#change(() => this.#disciplines.add(discipline))
  }

  patchDiscipline(name: string, patch: DisciplinePatch): Promise<Discipline> {
    refuseRename(name, patch)
    return this.#change(() => this.#disciplines.patch(name, () => patch))
  }

  removeDiscipline(name: string): Promise<Discipline> {
    return this.#change(() => this.#disciplines.remove(name))
  }

  /** Takes back changes that were noted: all or none, and nothing that has changed since. */
  takeBack(changes: readonly EntryChange[]): Promise<void> {
    return this.#change(() => takeBackAll([this.#features, this.#tasks, this.#disciplines], changes))
  }

  /** Whether what a change was about is as the change left it. */
  readonly isAsLeftBy = (change: EntryChange): Promise<boolean> =>
    isLeftAsBy([this.#features, this.#tasks, this.#disciplines], change)

  /** Learnings are kept with their feature. */
  get learnings(): LearningStore {
    return learningStore(this.#features, {
      change: (work) => this.#change(work),
      timestamp: () => this.#timestamp(),
    })
  }

  /** Everything wrong with the files, in words. Never throws for what people wrote. */
  problems(): Promise<BoardProblem[]> {
    return boardProblems({
      features: this.#features.file,
      tasks: this.#tasks.file,
      disciplines: this.#disciplines.file,
    })
  }

  /** Takes out what `problems` calls mendable: waiting for tasks that are not there. Returns what it did. */
  mend(): Promise<string[]> {
    return this.#change(() => waitForNothingGone(this.#tasks))
  }

  /** Protects the files against what an agent writes into them; only the loop has use for it. */
  readonly guard = deferred(
    once(async () => {
      const { BoardGuard } = await import('./guard/guard.ts')
      return new BoardGuard({
        files: [this.#features.file, this.#tasks.file, this.#disciplines.file],
        metadataPath: this.#metadata.path,
        log: this.#log,
        folder: join(this.#cacheDir, 'guard'),
        locked: (work) => this.#locked(work),
        now: this.#now,
      })
    }),
  )

  #completion(status: TaskStatus | null | undefined): { completed: string | null } | undefined {
    return status === 'done' ? { completed: this.#timestamp() } : { completed: null }
  }

  #timestamp(): string {
    return this.#now().toISOString()
  }

  #change<T>(work: () => Promise<T>): Promise<T> {
    return this.#locked(async () => {
      await this.#metadata.check()
      return work()
    })
  }

  async #locked<T>(work: () => Promise<T>): Promise<T> {
    makeOwnFolder(this.#cacheDir)
    // Beside the board: a cache that is cleared under writers must not take their lock along.
    return withFileLock(join(this.dir, 'board.lock'), work)
  }
}

function refuseRename(name: string, patch: object): void {
  if ('name' in patch && patch.name !== undefined && patch.name !== name) {
    throw new RalphError('invalid_input', `the name "${name}" cannot change: memory is kept under it`, {
      hint: 'Set the display name instead (--display-name).',
    })
  }
}
