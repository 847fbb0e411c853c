import { expect, test } from 'vitest'
import { extract } from '../../../src/feature-memory/extract/extract.ts'
import { collected, ends, fails, init, PROJECT, runs } from '../../transcripts/stream.ts'

const committedBy = (...lines: Parameters<typeof collected>[0][]) =>
  extract(collected([init, ...lines.flat(), ends('Done.')]), { project: PROJECT }).committed

const HERE_DOCUMENT = `git add -A && git commit -m "$(cat <<'EOF'
feat: keep the basket (for a week)

It was lost with the session's cookie.

Co-Authored-By: Somebody Else <else@example.com>
EOF
)" && git push`

test.each([
  ['a message', `git commit -m 'fix: round prices "up"'`, 'fix: round prices "up"'],
  ['several, as paragraphs', 'git -C shop commit -am "fix: rounding" -m "Up."', 'fix: rounding\n\nUp.'],
  [
    'a here-document, without who wrote it',
    HERE_DOCUMENT,
    "feat: keep the basket (for a week)\n\nIt was lost with the session's cookie.",
  ],
  ['one that is read', 'git commit -q -F - <<EOF\nfix: totals\n\nOf all.\nEOF', 'fix: totals\n\nOf all.'],
  ['a pull request', 'gh pr create --title "Keep it" --body="For a week"', 'Keep it\n\nFor a week'],
])('what a run committed is known by %s', (_, command, message) => {
  expect(committedBy(runs(command))).toEqual([message])
})

test('what git says that it made counts, once, also when something failed afterwards', () => {
  const told = '[main 1a2b3c4] fix: totals\n 1 file changed'
  expect(committedBy(runs('git commit -F message.txt', told))).toEqual(['fix: totals'])
  expect(committedBy(runs('git commit -m "fix: totals" -m "Of all."', told))).toEqual([
    'fix: totals\n\nOf all.',
  ])
  expect(committedBy(fails('git commit -m "fix: totals" && git push', `${told}\nrejected`))).toEqual([
    'fix: totals',
  ])
})

test('what was not committed is not told', () => {
  expect(committedBy(fails('git commit -m "fix: totals"', 'nothing to commit'))).toBeUndefined()
  expect(committedBy(runs('echo git commit -m "fix: totals"'))).toBeUndefined()
  expect(committedBy(runs('git log --grep commit', '[main 1a2b3c4] fix: totals'))).toBeUndefined()
})
