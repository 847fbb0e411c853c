import { expect, it } from 'vitest'
import { isDrawn } from '../../src/feature-memory/holdout.ts'

const MANY = 20_000

function drawn(share: number, seed: string, feature = 'auth'): boolean[] {
  return Array.from({ length: MANY }, (_, at) => isDrawn({ share, seed }, feature, at + 1))
}

function shareOf(draws: readonly boolean[]): number {
  return draws.filter(Boolean).length / draws.length
}

it.each([0.01, 0.1, 0.25, 0.5])('draws the share %s of many iterations', (share) => {
  // Six standard deviations: a fair draw misses that once in a billion seeds, and these seeds stay the same.
  const tolerance = 6 * Math.sqrt((share * (1 - share)) / MANY)
  for (const seed of ['one', 'two', '7f36da58-3b1c-4a0e-9d57-2f0c8a6c1c11'])
    expect(Math.abs(shareOf(drawn(share, seed)) - share)).toBeLessThan(tolerance)
})

it('draws the same for the same, whoever asks and whenever', () => {
  expect(drawn(0.3, 'seed')).toEqual(drawn(0.3, 'seed'))
  // Written down: a loop of another version must go on as this one would have.
  const first = Array.from({ length: 16 }, (_, at) =>
    isDrawn({ share: 0.5, seed: 'seed' }, 'auth', at + 1) ? 'without' : 'with',
  )
  expect(first.join(' ')).toBe(
    'without with without with without without with without with without without with with without with without',
  )
})

it('draws every iteration by itself: other seeds, features and neighbours tell nothing of it', () => {
  const base = drawn(0.5, 'seed')
  const others = [drawn(0.5, 'other seed'), drawn(0.5, 'seed', 'payments'), [...base.slice(1), base[0]!]]
  for (const other of others) {
    const agreeing = base.filter((one, at) => one === other[at]).length / MANY
    expect(Math.abs(agreeing - 0.5)).toBeLessThan(6 * Math.sqrt(0.25 / MANY))
  }
})

it('does not take what stands in the seed for what stands in the feature', () => {
  const one = Array.from({ length: 64 }, (_, at) => isDrawn({ share: 0.5, seed: 'a' }, 'bc', at + 1))
  const other = Array.from({ length: 64 }, (_, at) => isDrawn({ share: 0.5, seed: 'ab' }, 'c', at + 1))
  expect(one).not.toEqual(other)
})

it('with a larger share, also draws whatever a smaller one draws', () => {
  const [few, many] = [drawn(0.1, 'seed'), drawn(0.4, 'seed')]
  expect(few.every((without, at) => !without || many[at])).toBe(true)
})
