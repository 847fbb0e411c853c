import type { Command } from 'commander'
import { parseFraction, parseTime, parseWholeNumber } from './command.ts'

/** How much a search gives, the same wherever one can be asked for. */
export function withLimits(search: Command): Command {
  return search
    .option(
      '--limit <number>',
      'most results (default: the setting search.limit)',
      parseWholeNumber('--limit', 1),
    )
    .option(
      '--min-score <number>',
      'leave out what scores lower, 0 to 1 (default: the setting search.min_score)',
      parseFraction('--min-score'),
    )
}

export function withTimes(search: Command): Command {
  return search
    .option('--since <time>', 'only from this time on: 2026-02-07, 3d, "2 weeks"', parseTime('--since'))
    .option('--until <time>', 'only up to this time', parseTime('--until'))
}
