import { expect, it } from 'vitest'
import { editorWords } from '../../src/cli/editor.ts'

it.each([
  [{ EDITOR: 'code --wait' }, 'linux', ['code', '--wait']],
  [{ VISUAL: 'hx', EDITOR: 'nano' }, 'linux', ['hx']],
  [{ VISUAL: ' ', EDITOR: 'nano' }, 'linux', ['nano']],
  [
    { EDITOR: '"C:\\Program Files\\Notepad++\\notepad++.exe" -multiInst' },
    'win32',
    ['C:\\Program Files\\Notepad++\\notepad++.exe', '-multiInst'],
  ],
  [{ EDITOR: "'/Applications/My Editor' -w" }, 'darwin', ['/Applications/My Editor', '-w']],
  [{}, 'win32', ['notepad']],
  [{ EDITOR: '' }, 'linux', ['vi']],
] as const)('%o on %s is %j', (env, platform, words) => {
  expect(editorWords(env, platform)).toEqual(words)
})
