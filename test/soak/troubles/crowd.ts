import { runMixed } from '../core/mixed.ts'
import type { Trial } from '../core/trial.ts'

const PATHS = ['record', 'learnings', 'board', 'knowledge', 'conversations'] as const
const PROCESSES = 5

/** 20 writers in 5 processes on one project and one home: each process writes in four of five ways at the same time. */
export const crowd: Trial = {
  name: 'crowd',
  what: '20 writers in 5 processes at once, one of them killed again and again',
  share: 10,
  run: (context) =>
    runMixed(crowd, context, {
      paths: PATHS,
      how: {
        processes: PROCESSES,
        pathsOf: (number) => PATHS.filter((_, at) => at !== number % PATHS.length),
      },
    }),
}
