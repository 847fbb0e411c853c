import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isRalphError, type RalphError } from '../../src/errors.ts'
import { fuse } from '../../src/retrieval/fusion.ts'
import { openQdrantIndex, type QdrantIndexOptions } from '../../src/search-index/qdrant.ts'
import type { Evidence } from '../../src/search-index/query.ts'
import type { CollectionSpec, SearchIndex } from '../../src/search-index/search-index.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { sha256 } from '../../src/text/ids.ts'
import { along, countOf, DIMENSIONS, document, id, spec as specOf } from '../search-index/documents.ts'
import { temporaryFolder } from '../support/temporary.ts'

export interface QdrantServer {
  url: string
  apiKey?: string | undefined
  /** Where the server has one. */
  readOnlyKey?: string | undefined
  /** Nobody else keeps anything there. */
  isOurs: boolean
  close(): Promise<void>
}

/** Of this run alone: a server may hold what others want to keep, of other runs and of ralph itself. */
const RUN = `ralph-test-${randomBytes(4).toString('hex')}`
const NAME = `${RUN}-a`
const DIRECTORY = 'ralph-tenants'
const spec = (name: string): CollectionSpec => specOf(name, { embedderId: RUN })
/** Where the tenants of this run are, and nobody else's. */
const SHARED = `ralph-${DIMENSIONS}-${sha256(RUN).slice(0, 8)}`

/** How we live with a Qdrant as it really is: on the stand-in, and on a real one, where only what this run has made is touched. */
export function describeQdrantServer(name: string, start: () => Promise<QdrantServer>): void {
  describe(name, () => {
    let server: QdrantServer
    const opened: SearchIndex[] = []

    function open(options: Partial<QdrantIndexOptions> = {}) {
      const index = openQdrantIndex({ url: server.url, apiKey: server.apiKey, ...options })
      opened.push(index)
      return index
    }
    async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
      const headers = {
        'content-type': 'application/json',
        ...(server.apiKey && { 'api-key': server.apiKey }),
      }
      const answer = await fetch(`${server.url}${path}`, {
        method,
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
      return ((await answer.json()) as { result: unknown }).result
    }
    const names = async () => {
      const { collections } = (await ask('GET', '/collections')) as { collections: { name: string }[] }
      return collections.map((one) => one.name)
    }
    /** Qdrant's collections that this run has made, but for the directory of all tenants. */
    const ours = async () => (await names()).filter((one) => one.startsWith(RUN) || one === SHARED)
    const emptied = async () => {
      for (const one of await ours()) await ask('DELETE', `/collections/${one}`)
      if (!(await names()).includes(DIRECTORY)) return
      const tenants = open({ tenants: true })
      for (const one of tenantNames) await tenants.drop(one)
    }
    /** All that any test here gives to a tenant. */
    const tenantNames = ['a', 'b', 'c', 'd', 'other', 'round0', 'round1', 'round2'].map(
      (one) => `${RUN}-${one}`,
    )

    beforeEach(async () => {
      server = await start()
      await emptied()
    })
    afterEach(async () => {
      await emptied()
      for (const index of opened.splice(0)) await index.close()
      await server.close()
    })

    describe('a check', () => {
      it('uses what we use: a key that is wrong or missing is told', async () => {
        if (server.apiKey === undefined) return
        for (const apiKey of [undefined, 'wrong']) {
          const index = open({ apiKey })
          expect(await index.check()).toMatchObject({
            ok: false,
            detail: expect.stringContaining('refuses the API key (401)'),
            hint: expect.stringContaining('RALPH_QDRANT_API_KEY'),
          })
          expect(await refusal(index.search(NAME, { text: 'x', limit: 5 }))).toMatchObject({
            code: 'unavailable',
          })
        }
        expect(await open().check({ thorough: true })).toMatchObject({ ok: true })
      })

      it('tells a key that may only read, with which searching goes on', async () => {
        if (server.readOnlyKey === undefined) return
        await open().write(spec(NAME), { put: [document('one', 'login form')] })
        const index = open({ apiKey: server.readOnlyKey })
        expect(await index.check()).toMatchObject({ ok: true })
        expect(await index.check({ thorough: true })).toMatchObject({
          ok: false,
          detail: expect.stringContaining('may only read'),
        })
        expect(await index.search(NAME, { text: 'login', limit: 5 })).toHaveLength(1)
        const write = index.write(spec(NAME), { put: [document('two', 'x')] })
        expect(await refusal(write)).toMatchObject({ code: 'read_only' })
      })

      it('writes and removes something, and leaves nothing behind', async () => {
        expect(await open().check({ thorough: true })).toMatchObject({
          ok: true,
          detail: expect.stringMatching(/^qdrant \d+\.\d+/),
        })
        expect((await names()).filter((one) => one.startsWith('ralph-doctor-'))).toEqual([])
      })
    })

    describe('strict mode', () => {
      const filters = [
        { kind: { in: ['failure'] } },
        { files: { in: ['a.ts'] }, flag: { in: [true] } },
        { number: { from: 1, to: 90 }, created: { from: '2026-03-01T00:00:00Z' } },
      ]
      const payload = {
        kind: 'failure',
        files: ['a.ts'],
        flag: true,
        number: 7,
        created: '2026-03-02T00:00:00Z',
      }

      it.each([false, true])('as its cloud has it is no obstacle (tenants: %s)', async (tenants) => {
        const index = open({ tenants })
        await index.write(spec(NAME), {})
        await strictly({
          enabled: true,
          unindexed_filtering_retrieve: false,
          unindexed_filtering_update: false,
          search_allow_exact: false,
        })
        // Filters by fields that no document had yet, too.
        for (const filter of filters)
          expect(await index.search(NAME, { text: 'x', limit: 5, filter })).toEqual([])
        await index.write(spec(NAME), {
          put: [document('one', 'login form', { axis: 1, payload })],
          state: { at: 1 },
        })
        for (const filter of filters) {
          const found = await index.search(NAME, { text: 'login', vector: along(1), limit: 5, filter })
          expect(found).toMatchObject([{ id: id('one'), coverage: 1 }])
        }
        await index.write(spec(NAME), { state: { at: 2 } })
        expect(await index.collections([NAME])).toMatchObject([{ documents: 1, state: { at: 2 } }])
        await index.write(spec(NAME), { remove: [id('one')] })
        await index.drop(NAME)
      })

      it('of any narrowness is kept within', async () => {
        const index = open()
        await index.write(spec(NAME), {})
        await strictly({
          enabled: true,
          max_query_limit: 10,
          search_max_hnsw_ef: 20,
          search_max_batchsize: 3,
          upsert_max_batchsize: 4,
        })
        const documents = Array.from({ length: 25 }, (_, at) =>
          document(`${at}`, `note no${at}`, { axis: at }),
        )
        await index.write(spec(NAME), { put: documents })
        expect(await countOf(index, NAME)).toBe(25)
        const found = await index.search(NAME, { text: 'note no7 no8', vector: along(7), limit: 5 })
        expect(found.map((one) => one.id)).toContain(id('7'))
        const seen = new Set<string>()
        for (let after: string | undefined; ; ) {
          const page = await index.read(NAME, { limit: 20, after })
          if (page.length === 0) break
          for (const one of page) seen.add(one.id)
          after = page.at(-1)!.id
        }
        expect(seen.size).toBe(25)
      })

      it.each([false, true])(
        'that allows few reads a minute is searched for less (tenants: %s)',
        async (tenants) => {
          const index = open({ tenants })
          const documents = Array.from({ length: 20 }, (_, at) =>
            document(`${at}`, `login form ${at % 2 ? 'cookie' : 'session'} no${at}`, { axis: at }),
          )
          await index.write(spec(NAME), { put: documents })
          // A search for these takes 8 of its tokens at most, counting its words 7 more.
          await strictly({ enabled: true, read_rate_limit: 12 })
          const found = await index.search(NAME, { text: 'login cookie no7', vector: along(7), limit: 5 })
          expect(fuse(found, { calibration: [], limit: 1, minScore: 0 })[0]).toMatchObject({ id: id('7') })
        },
      )

      it('that cannot be kept within is named', async () => {
        const index = open()
        await index.write(spec(NAME), {})
        await strictly({ enabled: true, filter_max_conditions: 1 })
        const filter = { kind: { in: ['x'] }, number: { from: 1 }, files: { in: ['a'] } }
        const error = await refusal(index.search(NAME, { text: 'x', limit: 5, filter }))
        expect(error.message).toMatch(/in strict mode: Filter condition limit reached/)
        expect(error.hint).toContain('strict_mode_config')
      })

      async function strictly(strict_mode_config: object): Promise<void> {
        for (const one of await ours()) await ask('PATCH', `/collections/${one}`, { strict_mode_config })
      }
    })

    describe('words', () => {
      it.each([false, true])(
        'weigh the same as in the embedded index after any removals (tenants: %s)',
        async (tenants) => {
          const qdrant = open({ tenants })
          const sqlite = openSqliteIndex({ path: `${await temporaryFolder()}/index.db` })
          opened.push(sqlite)
          // What was common is rare afterwards, and what was rare is common.
          const texts = Array.from({ length: 240 }, (_, at) =>
            [
              `${at < 160 ? 'cookie' : 'vault'} ${at % 3 ? 'login' : 'ledger'} note${at}`,
              at % 40 ? 'session' : 'zeppelin',
              'filler '.repeat(at % 50),
            ].join(' '),
          )
          const documents = texts.map((text, at) => document(`${at}`, text, { axis: at }))
          const gone = documents.slice(4, 156).map((one) => one.id)
          for (const index of [qdrant, sqlite]) {
            await index.write(spec(`${RUN}-other`), { put: documents.slice(0, 50) })
            await index.write(spec(NAME), { put: documents })
            await index.write(spec(NAME), { remove: gone })
            // Written again: the words they had before do not count.
            const again = documents
              .slice(200)
              .map((one, at) => ({ ...document(`${200 + at}`, `vault cookie${at}`), id: one.id }))
            await index.write(spec(NAME), { put: again })
          }
          for (const text of [
            'cookie',
            'cookie vault',
            'login ledger cookie',
            'zeppelin session vault',
            'note157 login',
          ]) {
            const request = { text, limit: 10 }
            const [ours, theirs] = [await qdrant.search(NAME, request), await sqlite.search(NAME, request)]
            expect(ours.length, text).toBeGreaterThan(0)
            expect(best(ours), text).toEqual(best(theirs))
          }
        },
      )

      it.each([false, true])(
        'that very many have weigh the same too, whatever was removed (tenants: %s)',
        async (tenants) => {
          const qdrant = open({ tenants })
          const sqlite = openSqliteIndex({ path: `${await temporaryFolder()}/index.db` })
          opened.push(sqlite)
          // Before, "cookie" is the commonest; afterwards "vault" is, and both are in more than are counted along with a search.
          const documents = Array.from({ length: 3_600 }, (_, at) => {
            const words = [
              at < 2_000 ? 'cookie' : 'vault',
              at % 7 ? '' : 'cookie vault',
              at % 3 ? 'login' : 'ledger',
            ]
            return document(`${at}`, [...words, 'filler '.repeat(at % 40)].join(' '))
          })
          for (const index of [qdrant, sqlite]) {
            for (let at = 0; at < documents.length; at += 900)
              await index.write(spec(NAME), { put: documents.slice(at, at + 900), more: at < 2_700 })
            await index.write(spec(NAME), { remove: documents.slice(0, 820).map((one) => one.id) })
          }
          for (const text of ['cookie', 'cookie vault', 'vault ledger cookie', 'login vault', 'cookie login'])
            await expectSame(qdrant, sqlite, text)
          // Some more go, one by one, and some come.
          for (const index of [qdrant, sqlite]) {
            for (const one of documents.slice(900, 904)) await index.write(spec(NAME), { remove: [one.id] })
            await index.read(NAME, { ids: [id('new')] })
            await index.write(spec(NAME), { put: [document('new', 'cookie vault ledger')] })
          }
          for (const text of ['cookie vault', 'ledger login cookie']) await expectSame(qdrant, sqlite, text)
        },
        60_000,
      )

      async function expectSame(ours: SearchIndex, theirs: SearchIndex, text: string): Promise<void> {
        const request = { text, limit: 10 }
        const [found, wanted] = [await ours.search(NAME, request), await theirs.search(NAME, request)]
        expect(found.length, text).toBeGreaterThan(0)
        expect(best(found), text).toEqual(best(wanted))
      }

      it('that only few have left are found among many that others have', async () => {
        const index = open()
        const long = Array.from({ length: 90 }, (_, at) => `filler${at}`).join(' ')
        const kept = [1, 2].map((at) => document(`kept ${at}`, `cookie ${long} ${at}`))
        const common = Array.from({ length: 120 }, (_, at) => document(`common ${at}`, `login w${at}`))
        const gone = Array.from({ length: 300 }, (_, at) => document(`gone ${at}`, `cookie g${at}`))
        await index.write(spec(NAME), { put: [...kept, ...common, ...gone] })
        await index.write(spec(NAME), { remove: gone.map((one) => one.id) })
        const found = fuse(await index.search(NAME, { text: 'cookie login', limit: 5 }), {
          calibration: [],
          limit: 2,
          minScore: 0,
        })
        expect(found.map((one) => one.id).sort()).toEqual(kept.map((one) => one.id).sort())
      })

      it('find the same as the embedded index however many others share the collection', async () => {
        const qdrant = open({ tenants: true })
        const sqlite = openSqliteIndex({ path: `${await temporaryFolder()}/index.db` })
        opened.push(sqlite)
        const crowd = (of: string) =>
          Array.from({ length: 120 }, (_, at) =>
            document(`${of} ${at}`, `cache ${at % 2 ? 'miss' : 'hit'} ${at % 7 ? 'often' : 'rarely'} w${at}`),
          )
        for (const index of [qdrant, sqlite]) {
          for (const of of ['b', 'c', 'd']) await index.write(spec(`${RUN}-${of}`), { put: crowd(of) })
          await index.write(spec(NAME), { put: crowd('a').slice(0, 90) })
        }
        for (const text of ['cache miss rarely', 'hit often w8', 'cache w3 w5 rarely']) {
          const request = { text, limit: 10 }
          const [ours, theirs] = [await qdrant.search(NAME, request), await sqlite.search(NAME, request)]
          expect(best(ours), text).toEqual(best(theirs))
        }
      })
    })

    describe('collections', () => {
      it('of another version do not block the rest, and are built again', async () => {
        const index = open()
        for (const one of [NAME, `${RUN}-older`, `${RUN}-newer`])
          await index.write(spec(one), { put: [document('one', 'login')] })
        await versioned(`${RUN}-older`, 1)
        await versioned(`${RUN}-newer`, 99)
        const later = open()
        expect((await later.collections({ prefix: RUN })).map((one) => one.name)).toEqual([NAME])
        expect(await later.search(`${RUN}-older`, { text: 'login', limit: 5 })).toEqual([])
        await later.write(spec(`${RUN}-older`), { put: [document('two', 'login')] })
        expect(await countOf(later, `${RUN}-older`)).toBe(1)
        expect(await refusal(later.search(`${RUN}-newer`, { text: 'login', limit: 5 }))).toMatchObject({
          code: 'unsupported_version',
          hint: expect.stringContaining('ralph memory rebuild'),
        })
        // Which is what the hint does.
        await later.drop(`${RUN}-newer`)
        await later.write(spec(`${RUN}-newer`), { put: [document('one', 'login')] })
        expect(await countOf(later, `${RUN}-newer`)).toBe(1)
        if (!server.isOurs) return
        await versioned(`${RUN}-newer`, 99)
        await open().reset()
        expect(await names()).toEqual([])
      })

      async function versioned(collection: string, version: number): Promise<void> {
        const { points } = (await ask('POST', `/collections/${collection}/points/scroll`, {
          limit: 10,
          with_payload: true,
        })) as { points: { id: string; payload: { record_type?: string } }[] }
        const metadata = points.find(({ payload }) => payload.record_type === 'metadata')
        await ask('POST', `/collections/${collection}/points/payload?wait=true`, {
          points: [metadata!.id],
          key: '_ralph',
          payload: { version },
        })
      }

      it('of tenants whose documents are gone are missing, not empty', async () => {
        const index = open({ tenants: true })
        await index.write(spec(NAME), { put: [document('one', 'login', { axis: 1 })], state: { at: 1 } })
        await ask('DELETE', `/collections/${SHARED}`)
        for (const later of [index, open({ tenants: true })]) {
          expect(await later.search(NAME, { text: 'login', limit: 5 })).toEqual([])
          expect(await later.find(NAME)).toBeUndefined()
          expect(await later.collections([NAME])).toEqual([])
          expect(await later.collections({ prefix: RUN })).toEqual([])
        }
        await index.write(spec(NAME), { put: [document('one', 'login', { axis: 1 })] })
        expect(await index.search(NAME, { text: 'login', limit: 5 })).toHaveLength(1)
      })

      it('that somebody has made an alias are left alone, and that is told', async () => {
        await ask('PUT', `/collections/${RUN}-theirs`, { vectors: {} })
        const alias = { collection_name: `${RUN}-theirs`, alias_name: NAME }
        await ask('POST', '/collections/aliases', { actions: [{ create_alias: alias }] })
        const index = open()
        for (const points of [[], [{ id: 1, vector: {}, payload: {} }]]) {
          if (points.length > 0) await ask('PUT', `/collections/${RUN}-theirs/points?wait=true`, { points })
          const error = await refusal(index.write(spec(NAME), { put: [document('one', 'x')] }))
          expect(error).toMatchObject({ code: 'conflict', hint: expect.stringContaining('alias') })
        }
      })

      it.each([false, true])(
        'that two make at once are one, in which both find what they wrote (tenants: %s)',
        async (tenants) => {
          for (let round = 0; round < 3; round++) {
            const name = `${RUN}-round${round}`
            const found = await Promise.all(
              ['one', 'two', 'three'].map(async (what) => {
                const index = open({ tenants })
                await index.write(spec(name), { put: [document(what, `login ${what}`)], state: { at: what } })
                return index.search(name, { text: what, limit: 5 })
              }),
            )
            for (const evidence of found) expect(evidence.some(({ coverage }) => coverage === 1)).toBe(true)
            expect(await countOf(open({ tenants }), name)).toBe(3)
          }
        },
      )

      it('that were made anew meanwhile are not said to be level', async () => {
        const index = open()
        await index.write(spec(NAME), { put: [document('one', 'login')], state: { at: 1 } })
        const other = open()
        await other.drop(NAME)
        await other.write(spec(NAME), { put: [document('two', 'login')] })
        // Within the time in which it believes what it saw.
        await index.write(spec(NAME), { put: [document('three', 'login')], state: { at: 3 } })
        expect(await other.collections([NAME])).toMatchObject([{ documents: 2 }])
        expect((await other.collections([NAME]))[0]).not.toHaveProperty('state')
      })
    })

    it('is told of a document that is too large before anything is sent', async () => {
      const index = open()
      await index.write(spec(NAME), {})
      const large = document('large', 'x', { payload: { text: 'y'.repeat(40 * 1024 * 1024) } })
      const error = await refusal(index.write(spec(NAME), { put: [document('small', 'x'), large] }))
      expect(error).toMatchObject({
        code: 'limit_reached',
        message: expect.stringContaining('a document of 40 MB'),
      })
      expect(await countOf(index, NAME)).toBe(0)
    })
  })
}

/** The first ten with their scores; of those that share the last place any may be among them. */
function best(evidence: readonly Evidence[]): unknown {
  const hits = fuse(evidence, { calibration: [], limit: 10, minScore: 0 })
  const lowest = hits.at(-1)?.score ?? 0
  return hits.map(({ id: found, score }) => (score > lowest ? [found, score] : score))
}

async function refusal(promise: Promise<unknown>): Promise<RalphError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!isRalphError(error)) throw new Error(`expected a RalphError, got ${error}`)
  return error
}
