import { describe, expect, it } from 'vitest'
import { deferred, once } from '../src/deferred.ts'

class Parts {
  readonly #name = 'parts'

  async whoAmI() {
    return this.#name
  }
}

function service() {
  let opened = 0
  const real = {
    name: 'real',
    parts: new Parts(),
    async greet(whom: string) {
      return `${this.name} greets ${whom}`
    },
    async *count(to: number) {
      for (let at = 1; at <= to; at++) yield at
    },
    async fail() {
      throw new Error('no')
    },
  }
  const standIn = deferred(async () => {
    opened++
    return real
  })
  return { standIn, opened: () => opened }
}

describe('deferred service', () => {
  it('opens on the first call and not before', async () => {
    const { standIn, opened } = service()
    await Promise.resolve(standIn)
    expect(opened()).toBe(0)
    expect(await standIn.greet('you')).toBe('real greets you')
    expect(opened()).toBe(1)
  })

  it('reaches nested parts with their own `this`', async () => {
    expect(await service().standIn.parts.whoAmI()).toBe('parts')
  })

  it('passes on what is yielded', async () => {
    expect(await Array.fromAsync(service().standIn.count(3))).toEqual([1, 2, 3])
  })

  it('stands for a service that holds another stand-in', async () => {
    class Counter {
      #count = 0
      async next() {
        return ++this.#count
      }
    }
    const counter = new Counter()
    const outer = { counter: deferred(async () => counter) }
    expect(await deferred(async () => outer).counter.next()).toBe(1)
  })

  it('passes on what goes wrong', async () => {
    await expect(service().standIn.fail()).rejects.toThrow('no')
    const broken = deferred<{ ask(): Promise<void> }>(() => Promise.reject(new Error('closed')))
    await expect(broken.ask()).rejects.toThrow('closed')
  })
})

describe('once', () => {
  it('opens for the first call only, also when several come at the same time', async () => {
    let opened = 0
    const open = once(async () => ++opened)
    expect(await Promise.all([open(), open()])).toEqual([1, 1])
    expect(await open()).toBe(1)
  })

  it('tries again after a failure', async () => {
    let tries = 0
    const open = once(async () => {
      if (++tries === 1) throw new Error('down')
      return 'up'
    })
    await expect(open()).rejects.toThrow('down')
    expect(await open()).toBe('up')
  })
})
