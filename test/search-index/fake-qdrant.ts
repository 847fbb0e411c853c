// Stands for the `qdrant` program: listens as its settings say, and notes that it was started, and where.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { startQdrant } from '../stand-ins/qdrant.ts'

const settings = (name: string) => process.env[`QDRANT__${name}`] ?? ''
const storage = settings('STORAGE__STORAGE_PATH')
if (settings('SERVICE__HOST') !== '127.0.0.1') throw new Error('not on this machine')
await startQdrant({
  port: Number(settings('SERVICE__HTTP_PORT')),
  ...(settings('SERVICE__API_KEY') && { apiKey: settings('SERVICE__API_KEY') }),
})
appendFileSync(join(storage, 'started'), `${process.pid}\n`)
