import { describe, expect, it } from 'vitest'
import { commandKey } from '../../src/shell/command-key.ts'

describe('the same command', () => {
  it.each([
    ['npm test', 'npm test'],
    ['  npm   test ', 'npm test'],
    ['cd /shop && npm test', 'npm test'],
    ['CI=1 npm test 2>&1 | tail -50', 'npm test'],
    ['npm test > /tmp/log; cat /tmp/log', 'npm test'],
    ['npm run build && npm test', 'npm run build && npm test'],
    ['node /shop/scripts/seed.ts', 'node scripts/seed.ts'],
    ['ls -la', ''],
    ['grep -rn foo src | head', ''],
    ['', ''],
  ])('%j is %j', (command, key) => {
    expect(commandKey(command, '/shop')).toBe(key)
  })

  it.each([
    ['node src\\cli.js', 'node src\\cli.js'],
    ['.\\node_modules\\.bin\\vitest run test\\a.test.ts', 'vitest run test\\a.test.ts'],
    ['cd C:\\code\\shop; node "C:\\Code\\shop\\scripts\\seed.ts"', 'node scripts\\seed.ts'],
    ['node c:/code/shop/scripts/seed.ts', 'node scripts/seed.ts'],
  ])('of a Windows shell, %j is %j', (command, key) => {
    expect(commandKey(command, 'C:\\code\\shop')).toBe(key)
  })

  it('keeps what is escaped for a POSIX shell', () => {
    expect(commandKey('node my\\ file.ts \\$HOME a\\"b')).toBe('node my file.ts $HOME a"b')
  })

  it('is not another one', () => {
    expect(commandKey('npm test -- auth')).not.toBe(commandKey('npm test'))
    expect(commandKey('for f in a b; do node $f; done')).not.toBe(
      commandKey('for f in a c; do node $f; done'),
    )
  })
})
