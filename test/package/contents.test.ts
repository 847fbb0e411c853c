import { describe, expect, it } from 'vitest'
import {
  installScripts,
  MOST_MB,
  missingFiles,
  secretsIn,
  strayFiles,
  tooLarge,
} from '../../scripts/package/contents.ts'
import { SERVICE_TOKENS } from '../support/secret-samples.ts'

const wrong = (found: readonly { wrong: string }[]) => found.map((one) => one.wrong)

describe('a file', () => {
  it.each(['package.json', 'dist/chunks/answer-TfNNDCt8.js', 'docs/decisions/dashboard.md', 'bin/ralph.js'])(
    '%s belongs into the package',
    (file) => {
      expect(strayFiles([file])).toEqual([])
    },
  )

  it.each([
    'dist/index.js.map',
    'dist/chunks/answer.test.js',
    'src/index.ts',
    'test/docs.test.ts',
    '.env',
    '.npmrc',
    'demo/project/.env',
    'demo/project/.ralph/cache/index.db',
    'docs/notes.docx',
    'bin/../../elsewhere.js',
    'native/onnxruntime-1.17.0-linux-x64.br.bak',
  ])('%s does not', (file) => {
    expect(wrong(strayFiles([file]))).toEqual([`${file} is in the package, and nothing says that it may be`])
  })

  it('that is missing is told', () => {
    expect(wrong(missingFiles(['LICENSE']))).toContain('dist/cli.js is not in the package')
    expect(wrong(missingFiles(['LICENSE']))).not.toContain('LICENSE is not in the package')
  })
})

it('refuses whatever would run while it is installed', () => {
  expect(installScripts({ prepare: 'build', postinstall: 'x' }, ['binding.gyp'])).toHaveLength(2)
  expect(installScripts({ prepare: 'build', prepack: 'x', test: 'y' }, ['bin/ralph.js'])).toEqual([])
})

describe('a secret', () => {
  it.each(['npm', 'GitHub classic', 'aws temporary', 'hugging face'])(
    'of %s is found in any file',
    (name) => {
      const secret = /⟦(.+)⟧/.exec(SERVICE_TOKENS[name]!)![1]!
      for (const file of ['dist/cli.js', 'docs/setup.md', 'package.json']) {
        expect(secretsIn(file, `first line\n${secret}\n`)).toHaveLength(1)
      }
    },
  )

  it('is no variable that is called so', () => {
    expect(secretsIn('dist/cli.js', 'const password = "Xk29dkWq88sLpZ0q"')).toEqual([])
    expect(secretsIn('docs/setup.md', 'password = "Xk29dkWq88sLpZ0q"')).not.toEqual([])
  })
})

it('says what has grown too large', () => {
  expect(tooLarge(MOST_MB)).toEqual([])
  expect(wrong(tooLarge({ ...MOST_MB, packed: MOST_MB.packed + 1 }))).toEqual([
    `packed it takes ${MOST_MB.packed + 1}.0 MB, more than the ${MOST_MB.packed} we promise`,
  ])
})
