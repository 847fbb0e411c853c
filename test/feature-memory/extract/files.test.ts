import { describe, expect, test } from 'vitest'
import { extract } from '../../../src/feature-memory/extract/extract.ts'
import { collected, fails, init, PROJECT, runs, uses } from '../../transcripts/stream.ts'

const read = (path: string) => uses('Read', { file_path: path }, '1\tx')
const edit = (path: string) =>
  uses('Edit', { file_path: path, old_string: 'a', new_string: 'b' }, 'has been updated')
const write = (path: string, type: string) =>
  uses('Write', { file_path: path }, 'ok', { structured: { type, filePath: path } })
const inside = (path: string) => `${PROJECT}/${path}`

function files(lines: object[][]): string[] {
  const run = collected([init, ...(lines.flat() as Record<string, unknown>[])])
  return extract(run, { project: PROJECT }).filesTouched.map(({ action, path }) => `${action} ${path}`)
}

describe('one entry per path, the strongest action', () => {
  test('a change outweighs reading, whatever comes first', () => {
    expect(files([read(inside('a')), edit(inside('a')), edit(inside('b')), read(inside('b'))])).toEqual([
      'modified a',
      'modified b',
    ])
  })

  test('created outweighs modified', () => {
    expect(files([write(inside('a'), 'create'), edit(inside('a')), write(inside('a'), 'update')])).toEqual([
      'created a',
    ])
  })

  test('made and removed again: removed', () => {
    expect(files([write(inside('a'), 'create'), runs('rm a')])).toEqual(['deleted a'])
    expect(files([runs('rm a'), write(inside('a'), 'create')])).toEqual(['created a'])
  })
})

describe('what one command made and removed again', () => {
  test('was never there', () => {
    expect(files([runs('echo x > a && cat a && rm a')])).toEqual([])
    expect(files([runs('mkdir -p tmp && touch tmp/a tmp/b && rm -rf tmp')])).toEqual([])
  })

  test('was there if something is known of it', () => {
    expect(files([uses('Read', { file_path: inside('a') }, 'x'), runs('echo x > a && rm a')])).toEqual([
      'deleted a',
    ])
    expect(files([write(inside('tmp/old'), 'update'), runs('touch tmp/a && rm -r tmp')])).toEqual([
      'modified tmp/old',
      'deleted tmp',
    ])
  })
})

describe('what the program saw a command change', () => {
  const changes = (command: string, list: object[]) =>
    uses('Bash', { command }, '', {
      structured: { stdout: '', stderr: '', interrupted: false, bashEditDiff: { files: list, moreFiles: 0 } },
    })

  test('is told by its diff', () => {
    const list = [
      { filePath: inside('a'), created: true, hunks: [] },
      { filePath: inside('b'), deleted: true, hunks: [] },
      { filePath: inside('c'), hunks: [] },
      { filePath: '/etc/passwd', hunks: [] },
    ]
    expect(files([changes('node scripts/migrate.js', list)])).toEqual([
      'created a',
      'deleted b',
      'modified c',
    ])
  })

  test('counts before what the words suggest', () => {
    const list = [{ filePath: inside('a'), hunks: [] }]
    // The file was there before: the diff knows, the words do not.
    expect(files([changes('echo x > a; echo y > ignored.log', list)])).toEqual([
      'modified a',
      'created ignored.log',
    ])
  })
})

test('what Glob lists was not read', () => {
  const structured = { filenames: [inside('a.ts'), inside('b.ts')], numFiles: 2 }
  expect(files([uses('Glob', { pattern: '**/*.ts' }, 'a.ts\nb.ts', { structured })])).toEqual([])
})

describe('what counts', () => {
  test('a failed call touches nothing', () => {
    const refused = uses('Write', { file_path: inside('a') }, 'denied', { error: true })
    expect(
      files([refused, fails('rm b', 'rm: cannot remove'), fails('echo x > c', 'Permission denied')]),
    ).toEqual([])
  })

  test('nor does a call without a result', () => {
    expect(files([write(inside('a'), 'create').slice(0, 1), runs('rm b').slice(0, 1)])).toEqual([])
  })

  test('paths outside the project are left out', () => {
    expect(
      files([
        read('/etc/passwd'),
        read(inside('../other/a')),
        runs('rm ../../x /tmp/y'),
        read(inside('b\0c')),
      ]),
    ).toEqual([])
  })

  test('relative paths count from where the shell has come to', () => {
    expect(files([runs('cd packages/api'), runs('rm src/a.ts'), runs('cd ../.. && touch b')])).toEqual([
      'deleted packages/api/src/a.ts',
      'created b',
    ])
  })

  test('a failed command leaves the shell where it was; so does the program when it says so', () => {
    expect(files([fails('cd sub && npm test', 'no'), runs('rm a')])).toEqual(['deleted a'])
    expect(files([runs('cd /tmp', `Shell cwd was reset to ${PROJECT}`), runs('rm a')])).toEqual(['deleted a'])
  })

  test('what is written is new unless it is known to have been there', () => {
    expect(files([runs('echo x > a'), read(inside('b')), runs('echo x > b')])).toEqual([
      'created a',
      'modified b',
    ])
  })

  test('without structured results, as inside sub-agents, the sentence tells', () => {
    const parent = 'toolu_parent'
    expect(
      files([
        uses('Write', { file_path: inside('a') }, `File created successfully at: ${inside('a')}`, { parent }),
        uses(
          'Edit',
          { file_path: inside('b'), old_string: '' },
          `The file ${inside('b')} has been updated.`,
          { parent },
        ),
        uses(
          'Edit',
          { file_path: inside('c'), old_string: 'x' },
          `The file ${inside('c')} has been updated.`,
          { parent },
        ),
        uses('MultiEdit', { file_path: inside('d'), edits: [{ old_string: '' }] }, 'Applied 1 edit', {
          parent,
        }),
        uses('NotebookEdit', { notebook_path: inside('n.ipynb'), new_source: 'x' }, 'Updated cell', {
          parent,
        }),
      ]),
    ).toEqual(['created a', 'created b', 'modified c', 'created d', 'modified n.ipynb'])
  })

  test('file tools of MCP servers count as such', () => {
    expect(
      files([
        uses('mcp__filesystem__read_file', { path: inside('a') }, 'x'),
        uses('mcp__filesystem__edit_file', { path: inside('b') }, 'ok'),
        uses('mcp__notes__recall', { path: inside('c') }, 'x'),
      ]),
    ).toEqual(['read a', 'modified b'])
  })

  test('Windows paths become project paths', () => {
    const run = collected([
      { ...init, cwd: 'C:\\work\\shop' },
      ...uses('Write', { file_path: 'C:\\work\\shop\\src\\a.ts' }, 'File created successfully at: x'),
    ])
    expect(extract(run, { project: 'C:\\work\\shop' }).filesTouched).toEqual([
      { path: 'src/a.ts', action: 'created' },
    ])
  })
})
