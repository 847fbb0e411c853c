import { userInfo } from 'node:os'

/** The account on this machine. */
export function loginName(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}` // one without a name, as in many containers
  }
}
