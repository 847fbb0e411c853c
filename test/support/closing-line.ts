import type { Reporter, TestModule } from 'vitest/node'

/** Ends a run with one plain line, "N passed, N failed, N skipped", for people and machines that read only the end. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    for (const module of modules) {
      // A file that broke before its first test is a failure too.
      if (module.state() === 'failed' && [...module.children.allTests()].length === 0) counts.failed++
      for (const test of module.children.allTests()) counts[test.result().state]++
    }
    console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  }
}
