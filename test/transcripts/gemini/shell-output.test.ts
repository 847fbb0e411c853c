import { describe, expect, test } from 'vitest'
import { shownResult, toldResult } from '../../../src/transcripts/gemini/shell-output.ts'

describe('a command whose exit code nobody tells', () => {
  test.each([
    ['npm run lint', 'Command exited with code: 1'],
    ['sleep 9', 'Command terminated by signal: 15'],
    ['sleep 9', 'Command was automatically cancelled because it exceeded the timeout of 5.0 minutes'],
    ['echo $(id)', 'Blocked: command substitution detected in shell command.'],
    ['yarn test', '/usr/bin/bash: line 4: yarn: command not found'],
    ['yarn test', 'zsh: command not found: yarn'],
    ['cat missing.txt', 'cat: missing.txt: No such file or directory'],
    ['npm test', '# tests 3\n# pass 2\n# fail 1\n# duration_ms 9'],
    ['npx vitest run', ' Test Files  1 failed (1)\n      Tests  1 failed | 2 passed (3)\n   Duration  1s'],
    ['pytest', '===== 1 failed, 3 passed in 0.12s ====='],
    ['go test ./...', '--- FAIL: TestTotal\nFAIL\nFAIL\tshop/cart\t0.01s'],
    ['cargo test', 'test result: FAILED. 1 passed; 1 failed'],
    ['npx tsc', 'src/a.ts(1,1): error TS2304: Cannot find name.'],
    ['npx eslint .', '✖ 2 problems (1 error, 1 warning)'],
    ['npm run build && cat dist/x', 'npm error Missing script: "build"'],
    ['node a.js', 'node:internal\nTypeError: x is not a function\n    at a\n\nNode.js v24.1.0'],
    ['python a.py', 'Traceback (most recent call last):\n  File "a.py"\nValueError: no'],
    ['git push', 'fatal: not a git repository'],
    ['make', 'make: *** [Makefile:3: all] Error 2'],
    ['npm test', '\u001b[31m# fail 1\u001b[39m'],
  ])('%s failed, since it says: %s', (command, output) => {
    expect(shownResult(output, command).failed).toBe(true)
  })

  test.each([
    ['npm test', '# tests 3\n# pass 3\n# fail 0\n# cancelled 0'],
    ['npm test', 'not ok 2 - later # TODO\n# fail 0'],
    ['npx vitest run', '      Tests  3 passed (3)'],
    ['pytest', '===== 4 passed in 0.12s ====='],
    ['cat build.log', 'error TS2304: Cannot find name.\nError: it failed'],
    ['npm test 2>&1 | tail -3', '# fail 3'],
    ['npm test || true', '# fail 3'],
    ['npm test; true', '# fail 3'],
    ['git log -3', 'abc Fix: error TS2304: gone'],
    ['cd src && grep -rn "Error: " .', 'a.js: throw new Error: x'],
    ['node ok.js', ''],
    ['touch a', 'Command exited with code: 0'],
  ])('%s did not fail, though it says: %s', (command, output) => {
    expect(shownResult(output, command).failed).toBe(false)
  })

  test('one in the background has not come to its end', () => {
    const shown = 'Command moved to background (PID: 7). Output hidden. Press Ctrl+B to view.'
    expect(shownResult(shown, 'npm start')).toMatchObject({ unfinished: true, failed: false })
    expect(toldResult('Background shell shell-1 started (pid 7).').unfinished).toBe(true)
  })

  test('one that somebody stopped neither', () => {
    const stopped = { unfinished: true, failed: false }
    expect(shownResult('Command cancelled by user.', 'sleep 9')).toMatchObject(stopped)
    expect(toldResult('[Operation Cancelled] Reason: User cancelled')).toMatchObject(stopped)
  })

  test('one that says so itself fails, whatever it printed', () => {
    expect(shownResult('all is well', 'echo all is well; exit 3').failed).toBe(true)
    expect(shownResult('all is well', 'echo all is well; exit 0').failed).toBe(false)
    expect(shownResult('slow', 'test -f a && exit 3; echo slow').failed).toBe(false)
  })
})

describe('what the model was told of a command', () => {
  test.each([
    ['Output: a\nb\nProcess Group PGID: 7', 'a\nb', false],
    ['Output: no\nExit Code: 127\nProcess Group PGID: 7', 'no', true],
    ['Output: (empty)\nExit Code: 1', '', true],
    ['Output: x\nError: it broke\nExit Code: 1', 'x\nError: it broke', true],
    ['Output: x\nSignal: 9\nProcess Group PGID: 7', 'x', true],
    [
      'Command: npm test\nDirectory: (root)\nOutput: ok\nError: (none)\nExit Code: 0\nSignal: (none)\nProcess Group PGID: (none)',
      'ok',
      false,
    ],
    ['plain output\nExit Code: 0', 'plain output\nExit Code: 0', false],
    [
      'Command injection detected: command substitution',
      'Command injection detected: command substitution',
      true,
    ],
  ])('%j', (text, output, failed) => {
    expect(toldResult(text)).toMatchObject({ output, failed })
  })

  test('only the end of a long output is the frame', () => {
    const long = `Exit Code: 3\n${'x\n'.repeat(5_000)}`
    expect(toldResult(`Output: ${long}Process Group PGID: 7`)).toMatchObject({
      output: long.trimEnd(),
      failed: false,
    })
  })
})
