import { expect, it } from 'vitest'
import { PEERS } from '../../bench/peers/all-peers.ts'
import { readOptions } from '../../bench/peers/options.ts'

it('takes all peers at three sizes unless told', () => {
  expect(readOptions([])).toEqual({
    sizes: [1_000, 10_000, 100_000],
    peers: PEERS,
    limitMs: 150_000,
    write: false,
  })
})

it('takes sizes in order, once each, and peers by their names', () => {
  const options = readOptions(['--sizes', '10000, 1000,1000', '--only', 'orama,ours', '--limit', '60'])
  expect(options).toMatchObject({
    sizes: [1_000, 10_000],
    peers: [{ name: 'orama' }, { name: 'ours' }],
    limitMs: 60_000,
  })
})

it.each([
  [['--sizes', '12'], /"12" is no whole number from 500[\s\S]*for example/],
  [['--sizes', '1000,'], /"" is no whole number/],
  [['--sizes', '1e9'], /is no whole number/],
  [['--only', 'oramaa'], /there is no "oramaa"[\s\S]*there are ours, /],
  [['--limit', 'long'], /--limit long is no number of seconds/],
  [['--only', 'ours', '--write'], /--write keeps a comparison of all/],
  [['--wirte'], /Unknown option '--wirte'[\s\S]*--help/],
  [['extra'], /Unexpected argument 'extra'/],
])('refuses %j and says what to do', (args, message) => {
  expect(() => readOptions(args)).toThrow(message)
})

it('names every peer once', () => {
  expect(new Set(PEERS.map(({ name }) => name)).size).toBe(PEERS.length)
})
