import { homedir } from 'node:os'

/** The user's own folder; undefined where neither HOME nor the system's list of users names one. */
export function userHomeFolder(): string | undefined {
  try {
    return homedir() || undefined
  } catch {
    return undefined
  }
}
