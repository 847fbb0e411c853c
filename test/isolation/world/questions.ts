import { baitOf, NONE, type Origin } from './marks.ts'
import type { Random } from './random.ts'
import { COMMANDS, FILES, SUBJECTS, TITLES } from './texts.ts'
import type { AskedWorld } from './world.ts'

/** So many different ones: embedding them is not what is measured. */
const POOL = 400

const ODD = [
  ...['%', '*', '"', "'", '""', '?', '_%_', 'user*', '"session cookie"', 'NOT login', 'a OR b', '(login'],
  ...['src/../..', '/etc/passwd', 'C:\\shop', 'cafe\u0301', 'K', '💥', 'ÅÄÖ', 'x'.repeat(3_000)],
  ...['project_id:*', 'feature:login', 'select * from exchanges', '{"match":{"any":[]}}', '\u202elogin'],
] as const

/** What is asked: mostly the very words of some other place, so that what is kept there would be the best answer. */
export interface Questions {
  any(): string
  /** A path that some place touched. */
  file(): string
  /** An error as some place has met it. */
  error(): string
  command(): string
  title(): string
}

export function questionsOf(world: AskedWorld, random: Random): Questions {
  const bait = () => baitOf(someOrigin(world, random))
  const one = (): string => {
    const subject = random.of(SUBJECTS)
    switch (random.below(8)) {
      case 0:
        return subject
      case 1:
        return random.of(ODD)
      case 2:
        return `TypeError: cannot read 'user' of ${bait()} in ${random.of(TITLES)}`
      case 3:
        return `${bait()} ${bait()} ${bait()}`
      case 4:
        return `src/${bait()}/`
      default:
        return `${bait()} ${subject}`
    }
  }
  const pool = Array.from({ length: POOL }, one)
  return {
    any: () => random.of(pool),
    file: () => (random.chance(0.8) ? random.of(FILES) : `src/${bait()}/index.ts`),
    error: () => `TypeError: cannot read 'user' of ${bait()} in ${random.of(TITLES)}`,
    command: () => random.of(COMMANDS),
    title: () => random.of(TITLES),
  }
}

function someOrigin(world: AskedWorld, random: Random): Omit<Origin, 'kind'> {
  const { of, project } = random.of(world.projects)
  const { team, person } = of
  if (random.chance(0.3)) return { team, person, project: NONE, feature: NONE }
  return { team, person, project, feature: random.below(world.features.length) }
}
