/** "3 skipped", "1 pending", "2 ignored", "1 todo": vitest, jest, mocha, pytest, cargo, rspec, Playwright. */
const COUNTED = /\b(\d{1,6}) (?:tests? )?(?:skipped|pending|ignored|todo|xfailed|disabled)\b/gi
/** "Skipped: 2", "# skipped 1": Maven, dotnet, node:test. */
const LABELLED = /\b(?:skipped|ignored|pending|todo):? {1,8}(\d{1,6})\b/gi
/** "--- SKIP: TestTax", Go's, one for each. */
const LISTED = /^\s{0,40}--- SKIP: /gm

/** How many tests a runner left out by its own words: what was left out has not passed. */
export function skippedTests(output: string): number {
  const counts = [COUNTED, LABELLED].flatMap((pattern) =>
    [...output.matchAll(pattern)].map(([, count]) => Number(count)),
  )
  // Suites and tests are counted apart, and a summary may come twice.
  return Math.max(0, output.match(LISTED)?.length ?? 0, ...counts)
}
