import { runMixed } from '../core/mixed.ts'
import type { Trial } from '../core/trial.ts'
import { fromRoot } from '../core/world.ts'

/** Clocks that jump by days, forward and back, in processes that run and from one to the next; and kill -9 on top. */
export const clock: Trial = {
  name: 'clock',
  what: 'clocks that jump by days, forward and back, each process with its own',
  share: 6,
  run: (context) =>
    runMixed(clock, context, {
      paths: ['record', 'learnings', 'board', 'knowledge', 'conversations'],
      how: {
        child: (number) => ({
          preload: fromRoot('test/soak/troubles/jumping-clock.ts'),
          env: { SOAK_CLOCK_SEED: String(context.random.between(1, 1e9) + number) },
        }),
      },
    }),
}
