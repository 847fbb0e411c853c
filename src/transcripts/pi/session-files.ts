import { filesBelow, filesOfProject } from '../session-folders.ts'
import type { SessionStore } from '../session-store.ts'

/** `~/.pi/agent/sessions/--home-user-project--/<time>_<id>.jsonl`: a folder for each place in which sessions were started. */
export const piSessions: SessionStore = {
  find: (place, signal) => filesBelow(place, isSessionFile, signal),
  findOfProject: (place, project, signal) =>
    filesOfProject(place, project, isSessionFile, signal, folderName),
  isWhole: () => true,
}

function isSessionFile(path: string): boolean {
  return path.endsWith('.jsonl')
}

/** How the names of its folder and of those below it begin. */
function folderName(path: string): string {
  return `--${path.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}`
}
