import { placeInProject } from './project-path.ts'

interface Place {
  project: string
  userHome: string
}

/** All that a person has would be one project: `ralph init` refuses it. */
export function holdsHome({ project, userHome }: Place): boolean {
  return placeInProject(userHome, project) !== undefined
}

/** The command that makes a project, from where the person is. */
export function initCommand(place: Place): string {
  return holdsHome(place) ? 'cd my-project && ralph init' : 'ralph init'
}
