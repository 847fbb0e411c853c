// Files rows anew in a process of its own that says when it is in the middle, and then waits to be killed.
import { writeSync } from 'node:fs'
import { refile } from '../../src/project-knowledge/refile.ts'
import type { Storage, StorageTransaction } from '../../src/storage/storage.ts'
import { openTarget } from '../storage/open-target.ts'

const [target = '', key = '', former = ''] = process.argv.slice(2)
const storage = await openTarget(JSON.parse(target))
let updates = 0
const halfway = (db: StorageTransaction): StorageTransaction =>
  new Proxy(db, {
    get: (inner, name) => {
      const member = Reflect.get(inner, name)
      if (name !== 'updateTable') return typeof member === 'function' ? member.bind(inner) : member
      return (table: never) => {
        if (++updates === 3) {
          writeSync(1, 'halfway\n')
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
        }
        return inner.updateTable(table)
      }
    },
  })
const slow: Storage = { ...storage, transaction: (work) => storage.transaction((db) => work(halfway(db))) }
await refile(slow, { path: former, key, formerly: [former] }, async () => ['login'])
