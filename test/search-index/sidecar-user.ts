// Run as a process of its own, to be killed: holds the sidecar.
import { QdrantSidecar } from '../../src/search-index/qdrant-sidecar.ts'

const [home = '', url = ''] = process.argv.slice(2)
await new QdrantSidecar({ home, url, env: process.env, lingerMs: 300 }).ensure()
process.stdout.write('ready\n')
setInterval(() => undefined, 1_000)
