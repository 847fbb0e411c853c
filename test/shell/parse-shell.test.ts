import { describe, expect, test } from 'vitest'
import { shellEffects } from '../../src/feature-memory/extract/shell-files.ts'
import { parseShell, programOf } from '../../src/shell/parse-shell.ts'
import fc from '../support/fast-check.ts'

/** `after|word word|>target`, non-plain words in angle brackets. */
function parsed(command: string): string[] {
  return parseShell(command).map(({ after, words, redirects }) =>
    [
      after,
      words.map(({ text, plain }) => (plain ? text : `<${text}>`)).join(' '),
      redirects.map(({ append, target }) => (append ? '>>' : '>') + target.text).join(' '),
    ].join('|'),
  )
}

describe('reading a command line', () => {
  test.each<[string, string[]]>([
    ['npm test', ['|npm test|']],
    ['a && b || c; d | e & f', ['|a|', '&&|b|', '|||c|', ';|d|', '|' + '|e|', '&|f|']],
    ['echo \'a b\' "c d" e\\ f', ['|echo a b c d e f|']],
    ['echo $HOME "$x" `ls` $(pwd) *.ts ~/a {a,b}', ['|echo <$HOME> <$x> <> <> <*.ts> <~/a> <{a,b}>|']],
    ["echo '$HOME' '*.ts'", ['|echo $HOME *.ts|']],
    ['cmd > a 2>&1 >> b 2> /dev/null < in &> all', ['|cmd|>a >>b >/dev/null >all']],
    ['echo a>b', ['|echo a|>b']],
    ['cat > a.txt <<EOF\nrm b\nEOF\nrm c', ['|cat|>a.txt', ';|rm c|']],
    ["cat <<-'END' > a\n\trm b\n\tEND\ntrue", ['|cat|>a', ';|true|']],
    ['rm a # and not b', ['|rm a|']],
    ['rm a \\\n  b', ['|rm a b|']],
    [
      'git commit -m "$(cat <<\'EOF\'\nFix (a\n\nrm everything\nEOF\n)" && rm z',
      ['|git commit -m <>|', '&&|rm z|'],
    ],
    ['rm a; if true; then rm b; fi', ['|rm a|']],
    ['for f in *.ts; do rm $f; done', []],
    ['', []],
  ])('%j', (command, expected) => {
    expect(parsed(command)).toEqual(expected)
  })

  test('the program stands behind assignments and wrappers', () => {
    const { name, args } = programOf(parseShell('CI=1 sudo /usr/bin/rm -f a')[0]!)
    expect([name, args.map(({ text }) => text)]).toEqual(['rm', ['-f', 'a']])
  })

  test('anything at all is read to its end', () => {
    const pieces = fc.constantFrom(
      '(',
      ')',
      '"',
      "'",
      '`',
      '$(',
      '<<',
      '<<EOF',
      '\n',
      '>',
      '&',
      '|',
      ';',
      '\\',
      'rm',
      ' ',
      '#',
      '{',
      'é',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string())), (parts) => {
        expect(parseShell(parts.join(''))).toBeInstanceOf(Array)
      }),
    )
  })
})

describe('what commands do to files', () => {
  const effects = (command: string) =>
    shellEffects(command, '/p').effects.map(({ action, path, directory }) => `${action} ${directory}/${path}`)

  test.each<[string, string[]]>([
    ['rm a.txt', ['deleted /p/a.txt']],
    ['rm -rf build dist/', ['deleted /p/build', 'deleted /p/dist/']],
    ['rm -- -odd', ['deleted /p/-odd']],
    ['rm *.log $TMP/x', []],
    ['git rm -q src/a.ts', ['deleted /p/src/a.ts']],
    ['git rm --cached secret.env', []],
    ['mv a.ts b.ts', ['deleted /p/a.ts', 'written /p/b.ts']],
    ['git mv README.md READ.md', ['deleted /p/README.md', 'written /p/READ.md']],
    ['mv a.ts src/', ['deleted /p/a.ts', 'written /p/src/a.ts']],
    [
      'mv a.ts b.ts src',
      ['deleted /p/a.ts', 'deleted /p/b.ts', 'written /p/src/a.ts', 'written /p/src/b.ts'],
    ],
    // It may be a directory: only what left is certain.
    ['mv a.ts src', ['deleted /p/a.ts']],
    ['cp a.ts b.ts', ['written /p/b.ts']],
    ['cp -r a b', []],
    ['touch a b', ['written /p/a', 'written /p/b']],
    ['echo x > a', ['written /p/a']],
    ['echo x >> a', ['modified /p/a']],
    ['npm test > /dev/null 2>&1', []],
    ['npm test | tee out.log', ['written /p/out.log']],
    ['tee -a out.log', ['modified /p/out.log']],
    ["sed -i 's/a/b/' a.ts b.ts", ['modified /p/a.ts', 'modified /p/b.ts']],
    ["sed -i '' -e 's/a/b/' a.ts", ['modified /p/a.ts']],
    ["sed -n '1,5p' a.ts", ['read /p/a.ts']],
    ['cat a.ts', ['read /p/a.ts']],
    ['head -n 20 src/a.ts', ['read /p/src/a.ts']],
    ['git checkout -- a.ts', ['modified /p/a.ts']],
    ['git checkout main', []],
    ['git restore --staged a.ts', []],
    ['true || rm a', []],
    ['test -f a && rm a', ['deleted /p/a']],
    ['cd sub && rm a; cd .. && rm b', ['deleted /p/sub/a', 'deleted /p/b']],
    ['cd "$DIR" && rm a; cd /q && rm b', ['deleted /q/b']],
    ['(cd sub && rm a) && rm b', ['deleted /p/sub/a', 'deleted /p/b']],
    ['cat > a.sh <<EOF\nrm b\nEOF', ['written /p/a.sh']],
    ["node -e \"require('fs').rmSync('a')\"", []],
    ['echo rm a', []],
  ])('%s', (command, expected) => {
    expect(effects(command)).toEqual(expected)
  })
})
