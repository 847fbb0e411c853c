// Keeps one PostgreSQL server for all test files of a run: whoever uses it holds a connection to this process; a
// moment after the last one has gone, however it went, the server is stopped and its files are deleted.
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { keeperFile, startPostgres } from './postgres.ts'

const LINGER_MS = 3_000

const server = await startPostgres()
let users = 0
let timer = setTimeout(finish, 30_000)

const control = createServer((socket) => {
  users++
  clearTimeout(timer)
  // A worker that is killed resets the connection: as good a goodbye as any.
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    users--
    if (users === 0) timer = setTimeout(finish, LINGER_MS)
  })
  socket.resume()
})
await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve))
const address = control.address()
if (address === null || typeof address === 'string') throw new Error('no port')
try {
  writeFileSync(keeperFile(), JSON.stringify({ controlPort: address.port, url: server.url }), {
    flag: 'wx',
    mode: 0o600,
  })
} catch {
  // Another keeper was faster: its server is the shared one.
  await server.remove()
  process.exit(0)
}

async function finish() {
  rmSync(keeperFile(), { force: true })
  rmSync(`${keeperFile()}.log`, { force: true })
  control.close()
  await server.remove()
  process.exit(0)
}
