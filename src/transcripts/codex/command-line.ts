import { shellWord } from '../../text/shell-word.ts'

const SHELL = /(?:^|[\\/])(?:ba|z|da|k|fi)?sh(?:\.exe)?$|(?:^|[\\/])(?:pwsh|powershell|cmd)(?:\.exe)?$/i
/** What stands before the script: `-lc`, `-Command`, `/c`. */
const SCRIPT_FLAG = /^(?:-[a-z]{0,3}c|-command|\/c)$/i

/** What a shell was told to do: `npm test` of `/bin/bash -lc 'npm test'`. */
export function scriptIn(commandLine: string): string {
  const words = splitWords(commandLine)
  return (words && scriptOf(words)) ?? commandLine
}

/** The same of a command in its single words. */
export function scriptOfWords(words: readonly string[]): string {
  return scriptOf(words) ?? words.map((word) => shellWord(word, 'linux')).join(' ')
}

function scriptOf(words: readonly string[]): string | undefined {
  if (!SHELL.test(words[0] ?? '')) return undefined
  const flag = words.findIndex((word, index) => index > 0 && SCRIPT_FLAG.test(word))
  return flag === -1 || flag === words.length - 1 ? undefined : words.slice(flag + 1).join(' ')
}

/** A quoted piece, an escaped character, or a plain stretch; a space ends a word. */
const PIECE = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)|(\s+)/y

/** As a shell takes a line apart; undefined where a quotation never ends. */
function splitWords(line: string): string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  PIECE.lastIndex = 0
  while (PIECE.lastIndex < line.length) {
    const found = PIECE.exec(line)
    if (!found) return undefined
    const [, single, double, escaped, plain] = found
    const piece = single ?? double?.replace(/\\(["\\$`\n])/g, '$1') ?? escaped ?? plain
    if (piece !== undefined) word = (word ?? '') + piece
    else if (word !== undefined) {
      words.push(word)
      word = undefined
    }
  }
  if (word !== undefined) words.push(word)
  return words
}
