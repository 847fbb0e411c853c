declare module 'cross-spawn' {
  import type { spawn } from 'node:child_process'

  /** As Node's own, and on Windows also for scripts such as `claude.cmd`, with every argument quoted. */
  const crossSpawn: typeof spawn
  export default crossSpawn
}
