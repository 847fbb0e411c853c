import { parseArgs } from 'node:util'
import { PEERS } from './all-peers.ts'
import type { Peer } from './peer.ts'

export interface Options {
  sizes: number[]
  peers: readonly Peer[]
  /** Of one store of one size. */
  limitMs: number
  write: boolean
}

/** What is asked for cannot be done: said in a line, and in a second one what to do. */
export class BadOption extends Error {}

export const USAGE = `npm run bench -- peers [options]

  --sizes 1000,10000     documents in a store (default: 1000,10000,100000)
  --only orama,ours      only these: ${PEERS.map(({ name }) => name).join(', ')}
  --limit 150            seconds that one store may take at one size (default: 150)
  --write                keeps docs/performance.json, and makes docs/performance.md, its pictures and the README's table from it
  --help

The stores of 100,000 documents take most of the time, some 20 minutes in all: --sizes 1000,10000 leaves them out.`

const SIZES = [1_000, 10_000, 100_000]
/** Fewer would leave nothing to ask for. */
const FEWEST = 500
const MOST = 1_000_000
const LIMIT_S = 150

export function readOptions(args: readonly string[]): Options | 'help' {
  const { values } = parsed(args)
  if (values.help) return 'help'
  const sizes = values.sizes === undefined ? SIZES : listOf(values.sizes).map(sizeOf)
  const peers = values.only === undefined ? PEERS : chosen(listOf(values.only))
  const limit = values.limit === undefined ? LIMIT_S : Number(values.limit)
  if (!(limit >= 1))
    throw new BadOption(`--limit ${values.limit} is no number of seconds\n  for example --limit 60`)
  if (values.write && values.only !== undefined) {
    throw new BadOption(
      '--write keeps a comparison of all, and --only leaves some out\n  leave one of them out',
    )
  }
  const ascending = [...new Set(sizes)].sort((a, b) => a - b)
  return { sizes: ascending, peers, limitMs: limit * 1_000, write: values.write ?? false }
}

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  try {
    return parseArgs({
      args: [...args],
      options: { sizes: text, only: text, limit: text, write: flag, help: flag },
    })
  } catch (error) {
    throw new BadOption(
      `${(error as Error).message.split('. ')[0]}\n  npm run bench -- peers --help shows all options`,
    )
  }
}

function listOf(text: string): string[] {
  return text.split(',').map((one) => one.trim())
}

function sizeOf(text: string): number {
  const size = Number(text)
  if (!Number.isInteger(size) || size < FEWEST || size > MOST) {
    throw new BadOption(
      `--sizes: "${text}" is no whole number from ${FEWEST} to ${MOST}\n  for example --sizes 1000,10000`,
    )
  }
  return size
}

function chosen(names: readonly string[]): Peer[] {
  return names.map((name) => {
    const peer = PEERS.find((one) => one.name === name)
    if (peer) return peer
    throw new BadOption(
      `--only: there is no "${name}"\n  there are ${PEERS.map((one) => one.name).join(', ')}`,
    )
  })
}
