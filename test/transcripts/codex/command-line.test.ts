import { expect, test } from 'vitest'
import { scriptIn, scriptOfWords } from '../../../src/transcripts/codex/command-line.ts'

test.each([
  ["/bin/bash -lc 'npm test'", 'npm test'],
  ['/bin/bash -lc false', 'false'],
  [
    `/bin/bash -lc "git commit -qam 'Count quantities' && git log -1"`,
    "git commit -qam 'Count quantities' && git log -1",
  ],
  [`/bin/bash -lc 'npm test 2>&1 | grep "''^# "'`, 'npm test 2>&1 | grep "^# "'],
  [String.raw`/bin/bash -lc "node -e \"console.log('a \$HOME')\""`, `node -e "console.log('a $HOME')"`],
  [String.raw`/bin/zsh -c "printf 'a\\nb' \n"`, String.raw`printf 'a\nb' \n`],
  ["'C:\\Program Files\\PowerShell\\7\\pwsh.exe' -NoProfile -Command 'npm test'", 'npm test'],
  ['cmd.exe /c dir', 'dir'],
  ['/bin/bash -lc a\\ b', 'a b'],
  ["/bin/bash -lc ''", ''],
])('%s', (line, script) => {
  expect(scriptIn(line)).toBe(script)
})

test.each(['npm test', 'bash script.sh', '/bin/bash -lc', "bash -lc 'never ended", ''])(
  'what is no script in a shell stays as it is: %s',
  (line) => {
    expect(scriptIn(line)).toBe(line)
  },
)

test('a command in single words', () => {
  expect(scriptOfWords(['/bin/bash', '-lc', 'npm test'])).toBe('npm test')
  expect(scriptOfWords(['ls', 'my dir', "it's"])).toBe(`ls 'my dir' 'it'\\''s'`)
})

test('a long line is taken apart at once', () => {
  const script = `echo ${'"'.repeat(50_001)}`
  expect(scriptIn(`bash -lc ${script}`)).toBe(`bash -lc ${script}`)
})
