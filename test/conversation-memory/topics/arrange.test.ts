import { describe, expect, it } from 'vitest'
import { arranged } from '../../../src/conversation-memory/topics/arrange.ts'
import { Namer } from '../../../src/conversation-memory/topics/naming.ts'
import type { Talk } from '../../../src/conversation-memory/topics/talk.ts'
import { talks } from './history.ts'

const topicOf = ({ id }: Talk) => id.split('-')[0]!

/** What each group is made of, e.g. `timeout 6`. */
function contents(all: readonly Talk[], groups: readonly { members: readonly number[] }[]): string[] {
  return groups
    .map(
      ({ members }) => `${[...new Set(members.map((at) => topicOf(all[at]!)))].join('+')} ${members.length}`,
    )
    .sort()
}

/** A vector that is mostly its topic's, so that meaning alone tells them apart. */
function withMeaning(all: readonly Talk[]): Talk[] {
  const axes = [...new Set(all.map(topicOf))]
  return all.map((talk, at) => {
    const vector = Float32Array.from({ length: 64 }, (_, axis) => {
      const own = topicOf(talk) === 'once' ? 20 + (at % 40) : axes.indexOf(topicOf(talk))
      return (axis === own ? 1 : 0) + Math.sin(at * 31 + axis * 17) * 0.08
    })
    const length = Math.hypot(...vector)
    return {
      ...talk,
      title: `q${at}x`,
      said: [`w${at}y`],
      vector: vector.map((value) => value / length),
    }
  })
}

describe('topics of a history', () => {
  it('are found by words alone, and leave out what fits nowhere', () => {
    const all = talks()
    expect(contents(all, arranged(all, []))).toEqual([
      ...['conflicts 6', 'pagination 6', 'telemetry 6', 'timeout 6', 'tomatoes 6'],
    ])
  })

  it('are found by meaning where the words differ', () => {
    const all = withMeaning(talks())
    expect(contents(all, arranged(all, []))).toEqual([
      ...['conflicts 6', 'pagination 6', 'telemetry 6', 'timeout 6', 'tomatoes 6'],
    ])
  })

  it('are found in a history that is about one thing, and in one about two', () => {
    const all = talks()
    const only = (...topics: string[]) => all.filter((talk) => topics.includes(topicOf(talk)))
    expect(contents(only('conflicts'), arranged(only('conflicts'), []))).toEqual(['conflicts 6'])
    const two = only('conflicts', 'tomatoes')
    expect(contents(two, arranged(two, []))).toEqual(['conflicts 6', 'tomatoes 6'])
  })

  it('need three conversations, and none is made of nothing', () => {
    const all = talks()
    expect(arranged([], [])).toEqual([])
    expect(arranged(all.slice(0, 1), [])).toEqual([])
    expect(arranged([all[0]!, all[6]!], [])).toEqual([])
  })

  it('keep their conversations from day to day, whatever comes', () => {
    const all = talks()
    let kept: string[][] = []
    for (let days = 5; days <= all.length; days++) {
      const now = all.slice(0, days)
      const places = new Map(now.map(({ id }, at) => [id, at]))
      const groups = arranged(
        now,
        kept.map((ids) => ids.map((id) => places.get(id)!)),
      )
      const found = groups.map(({ members }) => members.map((at) => now[at]!.id))
      for (const [at, before] of kept.entries()) expect(found[at]).toEqual(expect.arrayContaining(before))
      kept = found
    }
    expect(contents(all, arranged(all, []))).toEqual(
      kept.map((ids) => `${topicOf({ id: ids[0]! } as Talk)} ${ids.length}`).sort(),
    )
  })

  it('are the same every time', () => {
    expect(arranged(talks(), [])).toEqual(arranged(talks(), []))
  })
})

describe('names of topics', () => {
  const nameOf = (texts: readonly string[], others: readonly string[] = []) => {
    const all = [...texts, ...others].map((text, at) => ({ id: String(at), title: text, said: [text], at }))
    return new Namer(all).candidates(texts.map((_, at) => at))[0]?.name
  }

  it('are what their conversations say and others do not', () => {
    const all = talks()
    const namer = new Namer(all)
    const names = arranged(all, []).map(({ members }) => namer.candidates(members)[0]!.name)
    expect(names.sort()).toEqual([
      'merge conflicts',
      'pagination',
      'payment gateway',
      'telemetry',
      'tomatoes',
    ])
  })

  it('are real words as people wrote them, no stems, paths, ids or secrets', () => {
    expect(
      nameOf([
        'The migrations fail: see /home/dev/shop/migrations/0042_orders.sql 3f2a81b0c4',
        'Migrations of [redacted: github token] https://example.com/migrations?id=42',
        'C:\\shop\\db migrations --verbose $HOME',
      ]),
    ).toBe('migrations')
  })

  it('keep capitals that belong to the word, not those of titles', () => {
    expect(nameOf(['Kubernetes pods restart', 'why does Kubernetes evict', 'scale Kubernetes down'])).toBe(
      'Kubernetes',
    )
    expect(nameOf(['Invoices are wrong', 'Invoices twice', 'print invoices'])).toBe('invoices')
  })

  it('are found in other languages', () => {
    const others = ['das Protokoll ist leer', 'die Suche findet nichts']
    expect(
      nameOf(['die Rechnung ist falsch', 'Rechnung doppelt gedruckt', 'wo liegt die Rechnung'], others),
    ).toBe('Rechnung')
    expect(nameOf(['数据库 连接超时', '数据库 太慢', '重启 数据库'])).toBe('数据')
  })
})
