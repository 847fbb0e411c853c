import { placeInProject, projectPath } from '../../files/project-path.ts'
import type { AgentRun } from '../../transcripts/agent-run.ts'

/** Makes the paths of a run project-relative. */
export class ProjectRoot {
  /** Where the agent worked, absolute. */
  readonly start: string
  /** The project, absolute, as the run saw it. */
  readonly path: string
  /** A run comes back to the same files. */
  readonly #known = new Map<string, string | undefined>()

  /**
   * A run that was recorded elsewhere (another machine, another checkout) speaks of paths there: then the directory
   * it was started in stands for the project.
   */
  constructor(run: Pick<AgentRun, 'cwd'>, project: string) {
    const inside = run.cwd === undefined || placeInProject(run.cwd, project) !== undefined
    this.path = inside ? project : run.cwd!
    this.start = run.cwd ?? project
  }

  /** Undefined when the path lies outside the project or cannot be one. */
  relative(path: string, from: string = this.start): string | undefined {
    const key = `${from}\n${path}`
    if (!this.#known.has(key))
      this.#known.set(key, projectPath(path.replace(/^file:\/\//, ''), this.path, { from }))
    return this.#known.get(key)
  }
}
