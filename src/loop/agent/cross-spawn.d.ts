declare module 'cross-spawn' {
  import type { spawn, spawnSync } from 'node:child_process'

  /** As Node's own, and on Windows also for scripts such as `claude.cmd`, with every argument quoted. */
  const crossSpawn: typeof spawn & { sync: typeof spawnSync }
  export default crossSpawn
}
