import fc from 'fast-check'

/**
 * The same cases on every machine and every day: a change is judged by what it changes, not by what chance finds on its day.
 * `RALPH_TEST_SEED=random npx vitest run …` looks for others, a number repeats what such a run has found.
 */
const wanted = process.env['RALPH_TEST_SEED'] ?? '20261117'
if (wanted !== 'random') fc.configureGlobal({ seed: Number(wanted) })

export default fc
