import { errnoOf } from '../errors.ts'

/** Whether a process with this number runs on this machine, ours or somebody else's. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errnoOf(error) === 'EPERM'
  }
}
