import { bundlerErrors, placedErrors, typeScriptErrors } from './compilers.ts'
import { type Failure, type FailureFinder, failureMessage, outputOf, type ProgramOutput } from './failure.ts'
import { goErrors, goPanics, goTestFailures } from './go.ts'
import { biomeErrors, eslintErrors, pythonLintErrors } from './linters.ts'
import { specFailures, tapFailures } from './node-test.ts'
import { pytestFailures, pythonTracebacks, unittestFailures } from './python.ts'
import { rustErrors, rustPanics } from './rust.ts'
import { otherTraces, scriptTraces } from './traces.ts'
import { jestFailures, mochaFailures, vitestFailures } from './vitest-jest.ts'

const TEST_RUNNERS: readonly FailureFinder[] = [
  tapFailures,
  specFailures,
  vitestFailures,
  jestFailures,
  mochaFailures,
  pytestFailures,
  unittestFailures,
  rustPanics,
  goTestFailures,
]
const CHECKERS: readonly FailureFinder[] = [
  typeScriptErrors,
  placedErrors,
  bundlerErrors,
  rustErrors,
  goErrors,
  eslintErrors,
  biomeErrors,
  pythonLintErrors,
]
/** Only without failing tests: a runner prints the traces of its failures itself. */
const TRACES: readonly FailureFinder[] = [scriptTraces, pythonTracebacks, goPanics, otherTraces]

/** Closing lines that tell of failures whose details were cut off, by `| tail` for instance. */
const COUNTS: readonly (readonly [type: Failure['type'], pattern: RegExp])[] = [
  ['test', /^[#ℹ] fail [1-9]\d*$/m],
  ['test', /^[^\S\n]*Tests:? +(?:.*\b)?[1-9]\d* failed\b.*$/m],
  ['test', /^[^\S\n]*[1-9]\d* failing$/m],
  ['test', /^(?:.*, |=*[^\S\n]*)[1-9]\d* (?:failed|errors?)\b.* in [\d.]+s.*$/m],
  ['test', /^FAILED \((?:failures|errors)=.*\)$/m],
  ['test', /^test result: FAILED\..*$/m],
  ['test', /^FAIL\t\S+.*$/m],
  ['compile', /^Found [1-9]\d* errors?(?: in .*)?\.?$/m],
  ['compile', /^error: could not compile .*$/m],
  ['lint', /^✖ \d+ problems? \([1-9]\d* errors?, .*\)$/m],
]
const ALL_PASSED =
  /^(?:[#ℹ] fail 0|[^\S\n]*Tests:? +\d+ passed(?! .*failed).*|test result: ok\..*|=+ \d+ passed.* in .*=+|[^\S\n]+\d+ passing.*|OK(?: \(.*\))?)$/m

/** A test run's own closing words. */
export function saysAllIsWell(text: string): boolean {
  return ALL_PASSED.test(outputOf(text).text)
}

/** Everything that went wrong according to what a program printed. */
export function findFailures(text: string, command = ''): Failure[] {
  const output = outputOf(text, command)
  const tests = run(TEST_RUNNERS, output)
  const checks = run(CHECKERS, output)
  const passed = tests.length === 0 && ALL_PASSED.test(output.text)
  // Passing tests print traces of errors they provoked on purpose.
  const traces = tests.length > 0 || passed ? [] : run(TRACES, output)
  const failures = [...tests, ...checks, ...traces]
  return failures.length > 0 ? failures : counted(output)
}

function run(finders: readonly FailureFinder[], output: ProgramOutput): Failure[] {
  return finders.flatMap((find) => find(output))
}

function counted({ text }: ProgramOutput): Failure[] {
  if (!/fail|error|problem/i.test(text)) return []
  for (const [type, pattern] of COUNTS) {
    const match = pattern.exec(text)
    if (match) return [{ type, message: failureMessage(match[0]) }]
  }
  return []
}
