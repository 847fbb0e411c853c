import { describe, expect, it } from 'vitest'
import { isCheck } from '../../src/shell/check-kind.ts'
import { leavesFilesAlone, onlyLooks } from '../../src/shell/only-looks.ts'

describe('a check', () => {
  it.each([
    'npm test',
    'npm t -- test',
    'npm run test:unit',
    'npx vitest run src/a.ts',
    'npx tsc --noEmit',
    'npm run typecheck',
    'npm run lint',
    'npx @biomejs/biome check .',
    'cargo build --release',
    'cargo clippy',
    'go vet ./...',
    'go test ./...',
    'python -m pytest -q',
    'make',
    'make -j4',
    'make test',
    './gradlew assemble',
    'docker build .',
    'pnpm -r build',
    'yarn type-check',
    'cd api && ruff check .',
    'dotnet build',
    'npm run ci',
  ])('%s', (command) => expect(isCheck(command)).toBe(true))

  it.each(['node scripts/deploy.js', 'npm run tset', 'make deploy', 'git push', 'npm install left-pad'])(
    'is not %s',
    (command) => expect(isCheck(command)).toBe(false),
  )
})

describe('a command that only looks', () => {
  it.each([
    'ls -la',
    'cat a | grep b',
    'git status',
    'git log --oneline | head',
    'cd src && rg foo 2>/dev/null',
  ])('%s', (command) => expect(onlyLooks(command)).toBe(true))
  it.each([
    'echo x > a.txt',
    'sed -i s/a/b/ a',
    'git commit -m x',
    'npm install',
    'for f in *; do rm $f; done',
    'ls; for f in *; do rm $f; done',
    'echo $(rm a)',
    'find . -name "*.yaml" -delete',
    'sort -o a a',
    '',
  ])('is not %s', (command) => expect(onlyLooks(command)).toBe(false))
})

describe('a command that leaves our files alone', () => {
  it.each(['npm test', 'cd api && npx vitest run 2>&1 | tail', 'git add -A && git commit -m "x"', 'sleep 5'])(
    '%s',
    (command) => expect(leavesFilesAlone(command)).toBe(true),
  )
  it.each([
    'node build.js',
    'npm test && rm -rf .ralph',
    'npm test > .ralph/db/tasks.yaml',
    'git stash',
    'git checkout .',
    'python3 -c "print(1)"',
    './tidy.sh',
  ])('is not %s', (command) => expect(leavesFilesAlone(command)).toBe(false))
})
