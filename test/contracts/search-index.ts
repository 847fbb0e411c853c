import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isRalphError } from '../../src/errors.ts'
import type { Filter } from '../../src/search-index/query.ts'
import type { IndexDocument, SearchIndex } from '../../src/search-index/search-index.ts'
import { unitVector } from '../../src/search-index/vectors.ts'
import { sha256 } from '../../src/text/ids.ts'
import {
  along,
  countOf,
  countPassing,
  DIMENSIONS,
  document,
  id,
  listed,
  spec,
} from '../search-index/documents.ts'

export interface IndexUnderTest {
  index: SearchIndex
  /** A second, independent opening of the same data. */
  reopen(): Promise<SearchIndex>
  /** After this no trace of it is left. */
  discard(): Promise<void>
}

/** What every driver of the search index promises. */
export function describeSearchIndex(name: string, open: () => Promise<IndexUnderTest>): void {
  describe(name, () => {
    let under: IndexUnderTest
    let index: SearchIndex
    const others: SearchIndex[] = []

    beforeEach(async () => {
      under = await open()
      index = under.index
    })
    afterEach(async () => {
      for (const other of others.splice(0)) await other.close()
      await index.close()
      await under.discard()
    })

    async function fill(collection: string, documents: readonly IndexDocument[]): Promise<void> {
      await index.write(spec(collection), { put: documents })
    }
    const namesOf = (found: readonly { payload: { [key: string]: unknown } }[]) =>
      found.map(({ payload }) => payload['name']).sort()
    async function wordHits(collection: string, text: string, filter?: Filter): Promise<unknown[]> {
      const evidence = await index.search(collection, { text, limit: 10, ...(filter && { filter }) })
      return namesOf(evidence.filter(({ bm25 }) => bm25 > 0))
    }

    describe('collections', () => {
      it('are made once and know their embedder', async () => {
        for (let time = 0; time < 2; time++) {
          await index.write(spec('a'), {})
          expect(await index.collections()).toEqual([{ ...listed('a'), documents: 0 }])
        }
        expect(await index.collections(['a', 'none'])).toEqual(await index.collections())
      })

      it('refuse vectors of another embedder, and take words from anyone', async () => {
        await fill('a', [document('one', 'login form', { axis: 1 })])
        for (const other of [{ embedderId: 'another' }, { dimensions: 3 }]) {
          const embedded = {
            ...document('two', 'login'),
            vector: new Float32Array(other.dimensions ?? DIMENSIONS),
          }
          await expect(index.write(spec('a', other), { put: [embedded] })).rejects.toSatisfy(
            (error) => isRalphError(error) && error.code === 'conflict',
          )
          await index.write(spec('a', other), { put: [document('three', 'login')] })
        }
        expect(await wordHits('a', 'login')).toEqual(['one', 'three'])
        expect(await index.collections()).toEqual([{ ...listed('a'), documents: 2 }])
      })

      it('are listed with their documents, by name', async () => {
        await fill('b', [document('one', 'one'), document('two', 'two')])
        await fill('a', [])
        const listed = await index.collections()
        expect(listed.map(({ name, documents }) => [name, documents])).toEqual([
          ['a', 0],
          ['b', 2],
        ])
      })

      it('are isolated: same ids, same words, same vectors in two never mix', async () => {
        await fill('a', [document('shared', 'login form', { axis: 1, payload: { kind: 'a' } })])
        await fill('b', [document('shared', 'login form', { axis: 1, payload: { kind: 'b' } })])
        const [found] = await index.search('a', { text: 'login', vector: along(1), limit: 10 })
        expect(found?.payload['kind']).toBe('a')
        await index.write(spec('a'), { remove: [id('shared')] })
        expect(await index.search('a', { text: 'login', vector: along(1), limit: 10 })).toEqual([])
        expect(await countOf(index, 'b')).toBe(1)
      })

      it('judge words by their own documents only', async () => {
        await fill('a', [document('one', 'cache miss'), document('two', 'disk full'), document('three', 'x')])
        const before = await index.search('a', { text: 'cache miss', limit: 10 })
        await fill(
          'b',
          Array.from({ length: 50 }, (_, at) => document(`other ${at}`, 'cache everywhere')),
        )
        expect(await index.search('a', { text: 'cache miss', limit: 10 })).toEqual(before)
      })

      it('are dropped with everything in them, and dropping what is not there is nothing', async () => {
        await fill('a', [document('one', 'login form', { axis: 1 })])
        await index.write(spec('a'), { state: { at: 1 } })
        await index.drop('a')
        await index.drop('a')
        expect(await index.collections()).toEqual([])
        await index.write(spec('a'), {})
        expect(await countOf(index, 'a')).toBe(0)
        expect(await stateOf(index, 'a')).toBeUndefined()
        expect(await index.search('a', { text: 'login', vector: along(1), limit: 10 })).toEqual([])
      })

      it('that do not exist read as empty, and are made by the first write', async () => {
        expect(await index.search('none', { text: 'x', vector: along(1), limit: 5 })).toEqual([])
        expect(await countOf(index, 'none')).toBe(0)
        expect(await index.read('none', { ids: [id('x')] })).toEqual([])
        expect(await index.read('none', { limit: 5 })).toEqual([])
        expect(await index.collections(['none'])).toEqual([])
        await index.write(spec('none'), { put: [document('x', 'x')], remove: [id('y')], state: 1 })
        expect(await index.collections(['none'])).toEqual([{ ...listed('none'), documents: 1, state: 1 }])
      })
    })

    describe('documents', () => {
      it('come back as they were stored', async () => {
        const payload = {
          kind: 'ünï-😀',
          number: 1.5,
          flag: true,
          nothing: null,
          files: ['a/b.ts', 'c d'],
          nested: { deep: [{ x: '\u0000 " \\ \n' }] },
        }
        await fill('a', [document('one', 'text', { axis: 1, payload })])
        expect(await index.read('a', { ids: [id('missing'), id('one')] })).toEqual([
          {
            id: id('one'),
            payload: { name: 'one', ...payload },
            textHash: sha256('text'),
            hasVector: true,
          },
        ])
      })

      it('are replaced by id: words, vector and payload', async () => {
        await fill('a', [document('one', 'old words', { axis: 1 }), document('two', 'other', { axis: 2 })])
        const changed = document('one', 'fresh text', { axis: 3, payload: { kind: 'new' } })
        await index.write(spec('a'), { put: [changed] })
        expect(await countOf(index, 'a')).toBe(2)
        expect(await wordHits('a', 'old words')).toEqual([])
        expect(await wordHits('a', 'fresh')).toEqual(['one'])
        const [nearest] = (await index.search('a', { text: '', vector: along(3), limit: 5 })).sort(byCosine)
        expect(nearest?.payload).toEqual(changed.payload)
        expect((await index.read('a', { ids: [id('one')] }))[0]?.textHash).toBe(changed.textHash)
      })

      it('given twice in one call are stored once, the later one', async () => {
        await fill('a', [document('one', 'earlier'), document('one', 'later')])
        expect(await countOf(index, 'a')).toBe(1)
        expect(await wordHits('a', 'earlier later')).toEqual(['one'])
        expect(await wordHits('a', 'earlier')).toEqual([])
      })

      it('become visible together or not at all', async () => {
        await fill('a', [document('there', 'kept')])
        const bad = { ...document('bad', 'bad'), vector: new Float32Array(DIMENSIONS + 1) }
        await expect(index.write(spec('a'), { put: [document('good', 'good'), bad] })).rejects.toSatisfy(
          (error) => isRalphError(error) && error.code === 'invalid_input',
        )
        expect(namesOf(await index.read('a', { limit: 10 }))).toEqual(['there'])
      })

      it('with a vector of something else than numbers are refused', async () => {
        await index.write(spec('a'), {})
        const bad = { ...document('bad', 'bad'), vector: along(1).fill(Number.NaN) }
        await expect(index.write(spec('a'), { put: [bad] })).rejects.toSatisfy(isRalphError)
      })

      it('are known with the hash of their text and whether they have a vector', async () => {
        await fill('a', [document('with', 'same', { axis: 1 }), document('without', 'same')])
        const known = await index.read('a', { ids: [id('with'), id('without'), id('missing')] })
        const { textHash } = document('with', 'same')
        expect(known).toMatchObject([
          { id: id('with'), textHash, hasVector: true },
          { id: id('without'), textHash, hasVector: false },
        ])
      })

      it('give their vectors back to whoever asks for them', async () => {
        await fill('a', [document('one', 'x', { axis: 1 }), document('two', 'y')])
        const ids = [id('two'), id('none'), id('one')]
        const [without, found] = await index.read('a', { ids, vectors: true })
        expect(without?.vector).toBeUndefined()
        expect((await index.read('a', { ids }))[1]?.vector).toBeUndefined()
        const page = await index.read('a', { limit: 10, vectors: true })
        expect(page.find((one) => one.id === id('one'))?.vector).toEqual(found?.vector)
        expect(found!.vector).toBeInstanceOf(Float32Array)
        const unit = unitVector(along(1), DIMENSIONS)
        for (const [at, component] of found!.vector!.entries()) expect(component).toBeCloseTo(unit[at]!, 4)
      })

      it('are removed; ids that are not there do not matter', async () => {
        await fill('a', [document('one', 'login', { axis: 1 }), document('two', 'login', { axis: 1 })])
        await index.write(spec('a'), { remove: [id('one'), id('missing')] })
        await index.write(spec('a'), { remove: [] })
        expect(namesOf(await index.search('a', { text: 'login', vector: along(1), limit: 5 }))).toEqual([
          'two',
        ])
        expect(await index.read('a', { ids: [id('one')] })).toEqual([])
      })

      it('are seen by another opening of the same data', async () => {
        await fill('a', [document('one', 'login', { axis: 1 })])
        const other = await under.reopen()
        others.push(other)
        expect(namesOf(await other.search('a', { text: 'login', limit: 5 }))).toEqual(['one'])
        await other.write(spec('a'), { put: [document('two', 'login')] })
        expect(await wordHits('a', 'login')).toEqual(['one', 'two'])
      })

      it('may be large, and there may be none', async () => {
        const long = Array.from({ length: 1_500 }, (_, at) => `word${at}`).join(' ')
        await fill('a', [document('long', long, { axis: 1, payload: { text: 'ß😀'.repeat(100_000) } })])
        await index.write(spec('a'), { put: [] })
        expect(await wordHits('a', 'word777')).toEqual(['long'])
        expect((await index.read('a', { ids: [id('long')] }))[0]?.payload['text']).toHaveLength(300_000)
      })

      it('are paged through, each once', async () => {
        const documents = Array.from({ length: 25 }, (_, at) =>
          document(`${at}`, 'x', { payload: { number: at } }),
        )
        await fill('a', documents)
        const seen: string[] = []
        for (let after: string | undefined; ; after = seen.at(-1)) {
          const page = await index.read('a', { limit: 10, ...(after && { after }) })
          if (page.length === 0) break
          seen.push(...page.map((one) => one.id))
        }
        expect(seen.toSorted()).toEqual(documents.map((one) => one.id).sort())
      })
    })

    describe('search', () => {
      const library = [
        document('form', 'Built LoginForm in src/auth/LoginForm.tsx', { axis: 1 }),
        document('token', 'Tokens expire after an hour; TS2345 in tokens.ts', { axis: 2 }),
        document('cart', 'Der Warenkorb behält seinen Inhalt, 購入履歴 stays', { axis: 3 }),
        document('wordless', '…', { axis: 4 }),
        document('vectorless', 'Nightly backup is restored every week'),
      ]

      it('gives both kinds of evidence for every candidate', async () => {
        await fill('a', library)
        const evidence = await index.search('a', { text: 'login form', vector: along(1), limit: 5 })
        const form = evidence.find(({ id: found }) => found === id('form'))
        expect(form?.cosine).toBeCloseTo(1, 2)
        expect(form?.coverage).toBe(1)
        expect(form?.bm25).toBeGreaterThan(0)
        const token = evidence.find(({ id: found }) => found === id('token'))
        expect(token?.cosine).toBeCloseTo(0, 1)
        expect(token).toMatchObject({ bm25: 0, coverage: 0 })
      })

      it('says how much of the words is due to common ones', async () => {
        await fill('a', library)
        const search = async (text: string) => {
          const evidence = await index.search('a', { text, vector: along(1), limit: 5 })
          return evidence.find((one) => one.id === id('form'))!
        }
        expect((await search('login')).commonShare).toBe(0)
        const { wordShare, commonShare } = await search('built login')
        expect(commonShare).toBeGreaterThan(0)
        expect(commonShare).toBeLessThan(wordShare)
      })

      it('says among how many each was found', async () => {
        await fill('a', library)
        await index.write(spec('a'), { remove: [id('cart')] })
        const evidence = await index.search('a', { text: 'login form', vector: along(1), limit: 5 })
        expect(new Set(evidence.map(({ among }) => among))).toEqual(new Set([library.length - 1]))
      })

      it('keeps a detail beside a vector, and brings it along for whoever wants it', async () => {
        const detail = Uint8Array.from({ length: 1_500 }, (_, at) => (at * 7) & 255)
        const [form, token, ...others] = library
        await fill('a', [{ ...form!, detail }, token!, ...others])
        const ask = async (details: boolean) => {
          const request = { text: 'login form', vector: along(1), limit: 5, details }
          return new Map((await index.search('a', request)).map((one) => [one.id, one.detail]))
        }
        for (let time = 0; time < 2; time++) {
          expect((await ask(true)).get(id('form'))).toEqual(detail)
          expect((await ask(true)).get(id('token'))).toBeUndefined()
          expect([...(await ask(false)).values()].every((one) => one === undefined)).toBe(true)
        }
        const [plain] = await index.read('a', { ids: [id('form')] })
        expect(plain).not.toHaveProperty('detail')
        expect(plain?.payload).toEqual(form!.payload)
        const [stored] = await index.read('a', { ids: [id('form')], vectors: true })
        expect(stored?.detail).toEqual(detail)
        await fill('a', [form!])
        expect((await ask(true)).get(id('form'))).toBeUndefined()
      })

      it('finds by meaning what shares no word, and by words what has no vector', async () => {
        await fill('a', library)
        const evidence = await index.search('a', { text: 'restored backup', vector: along(4), limit: 5 })
        expect(evidence.toSorted(byCosine)[0]?.id).toBe(id('wordless'))
        const vectorless = evidence.find(({ id: found }) => found === id('vectorless'))
        expect(vectorless?.coverage).toBe(1)
        expect(vectorless?.cosine).toBeUndefined()
      })

      it.each([
        ['login_form', ['form']],
        ['LoginForm.tsx', ['form']],
        ['ts2345', ['token']],
        ['expiring token', ['token']],
        ['behalt', ['cart']],
        ['購入', ['cart']],
        ['BACKUPS', ['vectorless']],
      ])('finds %s by words', async (text, expected) => {
        await fill('a', library)
        expect(await wordHits('a', text)).toEqual(expected)
      })

      it('covers as much of the question as the document has of its telling words', async () => {
        await fill('a', library)
        const [found] = await index.search('a', { text: 'backup zeppelin', limit: 5 })
        expect(found?.coverage).toBeGreaterThan(0.3)
        expect(found?.coverage).toBeLessThan(0.6)
      })

      it('without words or without vector uses the other half, without both finds nothing', async () => {
        await fill('a', library)
        expect(await index.search('a', { text: '', limit: 5 })).toEqual([])
        expect(await index.search('a', { text: 'the of and', limit: 5 })).toEqual([])
        const byMeaning = await index.search('a', { text: '  ', vector: along(2), limit: 5 })
        expect(byMeaning.toSorted(byCosine)[0]?.id).toBe(id('token'))
        expect(byMeaning.every(({ bm25, coverage }) => bm25 === 0 && coverage === 0)).toBe(true)
        const byWords = await index.search('a', { text: 'token', limit: 5 })
        expect(byWords.map(({ cosine }) => cosine)).toEqual([undefined])
      })

      it('weighs the names of files by themselves, and what was said beside less', async () => {
        const said = document('said', 'the invoice is rounded')
        const named = { ...document('named', 'rounded'), names: 'src/billing/invoice.ts' }
        const beside = { ...document('beside', 'rounded'), beside: 'the invoice, too' }
        await index.write(spec('a', { typicalLength: 150 }), { put: [beside, said, named] })
        const found = await index.search('a', { text: 'invoice', limit: 5 })
        const order = found.toSorted((a, b) => b.bm25 - a.bm25).map(({ payload }) => payload['name'])
        expect(order).toEqual(['named', 'said', 'beside'])
      })

      it('asks first for what the title of a long question says', async () => {
        const around = [...'bcdefghijklmnopqrst'].map((letter) => `x${letter}x`).join(' ')
        await fill('a', [document('around', 'xcx of it'), document('matter', 'invoice of it')])
        const bm25Of = async (text: string, titled = true) => {
          const found = await index.search('a', { text, titled, limit: 5 })
          return new Map(found.map((one) => [one.payload['name'], one.bm25]))
        }
        const short = await bm25Of('invoice\n\nxcx')
        expect(short.get('matter')).toBeCloseTo(short.get('around')!)
        const long = await bm25Of(`invoice\n\n${around}`)
        expect(long.get('matter')).toBeCloseTo(2 * long.get('around')!)
        const pasted = await bm25Of(`invoice\n\n${around}`, false)
        expect(pasted.get('matter')).toBeCloseTo(pasted.get('around')!)
      })

      it('takes a very long question', async () => {
        await fill('a', library)
        const log = `${'error at line 17 '.repeat(5_000)}`
        expect(await wordHits('a', `LoginForm ${log}`)).toEqual(['form'])
      })

      it('refuses a vector of another length', async () => {
        await fill('a', library)
        await expect(
          index.search('a', { text: '', vector: new Float32Array(3), limit: 5 }),
        ).rejects.toSatisfy((error) => isRalphError(error) && error.code === 'invalid_input')
      })

      it('stops when it is told to', async () => {
        await fill('a', library)
        const request = { text: 'token', limit: 5 }
        await expect(index.search('a', request, AbortSignal.abort())).rejects.toSatisfy(
          (error) => isRalphError(error) && error.code === 'cancelled',
        )
      })

      it('finds the same among many as among few, best first and rare words too', async () => {
        const crowd = Array.from({ length: 700 }, (_, at) =>
          document(`crowd ${at}`, `common filler text no${at}`, { axis: 5 + (at % 8) }),
        )
        await fill('a', [...crowd, ...library])
        expect(await wordHits('a', 'no431')).toEqual(['crowd 431'])
        expect(await wordHits('a', 'LoginForm')).toEqual(['form'])
        const evidence = await index.search('a', { text: 'filler', vector: along(2), limit: 5 })
        expect(evidence.toSorted(byCosine)[0]?.id).toBe(id('token'))
        await index.write(spec('a'), { put: [document('crowd 431', 'replaced', { axis: 2 })] })
        await index.write(spec('a'), { remove: [id('crowd 432')] })
        expect(await wordHits('a', 'no431 no432 no433')).toEqual(['crowd 433'])
        expect(await countOf(index, 'a')).toBe(704)
      })
    })

    describe('filters', () => {
      const documents = [
        document('1', 'note', { axis: 1, payload: { kind: 'success', number: 1, files: ['a.ts', 'b.ts'] } }),
        document('2', 'note', {
          axis: 1,
          payload: { kind: 'failure', number: 2, files: ['b.ts'], flag: true },
        }),
        document('3', 'note', { axis: 1, payload: { kind: 'failure', number: 3, files: [], flag: false } }),
        document('4', 'note', { axis: 1, payload: { kind: 'partial', number: 10 } }),
      ].map((one, at) => ({
        ...one,
        payload: { ...one.payload, created: `2026-03-0${at + 1}T12:00:00Z` },
      }))
      const cases: [Filter, string[]][] = [
        [{}, ['1', '2', '3', '4']],
        [{ kind: { in: ['failure'] } }, ['2', '3']],
        [{ kind: { in: ['failure', 'partial'] } }, ['2', '3', '4']],
        [{ kind: { in: [] } }, []],
        [{ kind: { notIn: ['failure'] } }, ['1', '4']],
        [{ kind: { notIn: [] } }, ['1', '2', '3', '4']],
        [{ files: { in: ['b.ts'] } }, ['1', '2']],
        [{ files: { notIn: ['a.ts'] } }, ['2', '3', '4']],
        [{ flag: { in: [true] } }, ['2']],
        [{ number: { in: [2, 10] } }, ['2', '4']],
        [{ number: { from: 2 } }, ['2', '3', '4']],
        [{ number: { to: 2 } }, ['1', '2']],
        [{ number: { from: 2, to: 3 } }, ['2', '3']],
        [{ number: { in: ['2'] } }, []],
        [{ created: { from: '2026-03-02T00:00:00Z' } }, ['2', '3', '4']],
        [{ created: { from: '2026-03-02T00:00:00Z', to: '2026-03-03T12:00:00Z' } }, ['2', '3']],
        [{ kind: { in: ['failure'] }, number: { from: 3 } }, ['3']],
      ]

      it.each(cases)('%j', async (filter, expected) => {
        await fill('a', documents)
        expect(await wordHits('a', 'note', filter)).toEqual(expected)
        const byMeaning = await index.search('a', { text: '', vector: along(1), limit: 10, filter })
        expect(namesOf(byMeaning)).toEqual(expected)
      })

      it('by a field that was not announced are refused, naming those that were', async () => {
        await fill('a', documents)
        const filter = { colour: { in: ['red'] } }
        await expect(index.search('a', { text: 'note', limit: 5, filter })).rejects.toSatisfy(
          (error) => isRalphError(error) && error.code === 'invalid_input' && error.hint!.includes('kind'),
        )
      })

      it('may be announced later', async () => {
        await fill('a', documents)
        const more = { filterable: [...spec('a').filterable, 'name'] }
        await index.write(spec('a', more), {})
        expect(await wordHits('a', 'note', { name: { in: ['3'] } })).toEqual(['3'])
      })

      it('find what few have among many', async () => {
        const crowd = Array.from({ length: 700 }, (_, at) =>
          document(`crowd ${at}`, 'note again', {
            axis: 1,
            payload: { kind: at % 2 ? 'odd' : 'even', number: 1_000 + at, files: [`file${at}.ts`] },
          }),
        )
        await fill('a', [...documents, ...crowd])
        for (const [filter, expected] of [
          [{ kind: { in: ['success'] } }, ['1']],
          [{ kind: { notIn: ['odd', 'even'] }, number: { from: 3 } }, ['3', '4']],
          [{ files: { in: ['file600.ts', 'b.ts'] } }, ['1', '2', 'crowd 600']],
          [{ number: { from: 1_350, to: 1_351 } }, ['crowd 350', 'crowd 351']],
          [{ created: { to: '2026-03-01T12:00:00Z' } }, ['1']],
        ] as [Filter, string[]][]) {
          expect(namesOf(await index.search('a', { text: '', vector: along(1), limit: 9, filter }))).toEqual(
            expected,
          )
          expect(await wordHits('a', 'note', filter)).toEqual(expected)
          expect(await countPassing(index, 'a', 'note', filter)).toBe(expected.length)
        }
        expect(await countPassing(index, 'a', 'note', { kind: { in: ['odd'] } })).toBe(350)
      })
    })

    describe('state', () => {
      it('is kept with the collection', async () => {
        await index.write(spec('a'), {})
        expect(await stateOf(index, 'a')).toBeUndefined()
        for (const state of [{ offset: 12, deep: [null, 'ß'] }, 'text', 0, null]) {
          await index.write(spec('a'), { state })
          expect(await stateOf(index, 'a')).toEqual(state)
        }
        expect(await countOf(index, 'a')).toBe(0)
        expect(await index.read('a', { limit: 5 })).toEqual([])
      })
    })

    describe('together', () => {
      it('many calls at once end as if made one after another', async () => {
        await index.write(spec('a'), {})
        await Promise.all(
          Array.from({ length: 40 }, (_, at) =>
            index.write(spec('a'), {
              put: [document(`${at}`, `note ${at}`, { axis: at }), document('same', `round ${at}`)],
            }),
          ),
        )
        expect(await countOf(index, 'a')).toBe(41)
        expect(await wordHits('a', 'round')).toEqual(['same'])
      })

      it('is healthy, can be thrown away as a whole, and used again', async () => {
        await fill('a', [document('one', 'login')])
        expect(await index.check()).toMatchObject({ ok: true })
        await index.reset()
        expect(await index.collections()).toEqual([])
        await fill('a', [document('two', 'login')])
        expect(await wordHits('a', 'login')).toEqual(['two'])
      })

      it('can be closed twice', async () => {
        await index.close()
        await expect(index.close()).resolves.toBeUndefined()
      })
    })
  })
}

async function stateOf(index: SearchIndex, collection: string): Promise<unknown> {
  return (await index.collections([collection]))[0]?.state
}

function byCosine(a: { cosine?: number }, b: { cosine?: number }): number {
  return (b.cosine ?? -1) - (a.cosine ?? -1)
}
