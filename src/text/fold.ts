import { lazy } from '../deferred.ts'

/**
 * Reduces a word to what it looks like: `ｉgпо𝐫𝐞`, `1GN0RE` and `ignore` all become the same. For comparing only, never for
 * showing. Both sides of a comparison must be folded, since `l`, `1` and `|` all end as `i`.
 */
export function fold(word: string): string {
  let folded = ''
  for (const character of (ASCII.test(word) ? word : word.normalize('NFKD')).toLowerCase())
    folded += LOOKS_LIKE.get(character) ?? plain(character)
  return folded
}

const ASCII = /^[\x00-\x7f]*$/
const MARK = lazy(() => /\p{M}/u)

function plain(character: string): string {
  if (character < '\u0080') return character
  if (MARK().test(character)) return ''
  const code = character.codePointAt(0)!
  for (const start of LETTER_PICTURES) {
    if (code >= start && code < start + 26) return fold(String.fromCharCode(97 + code - start))
  }
  return character
}

/** Where alphabets of decorated letters begin that Unicode does not decompose: 🅐 🅰 🇦. */
const LETTER_PICTURES = [0x1f150, 0x1f170, 0x1f1e6]

const LOOKS_LIKE = new Map<string, string>([
  ...pairs('авсԁеёһіїјкӏмнопрԛгѕтуѵѡхь', 'abcdeehiijkimhonpqrstyvwxb'),
  ...pairs('αβεηικνορτυχγω', 'abenikvoptuxyw'),
  ...pairs('ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghijkimnopqrstuvwyz'),
  ...pairs('ıɑɡøłđæœ', 'iagoidao'),
  ...pairs('0134578@$€!|l', 'oieastbaseiii'),
])

function pairs(from: string, to: string): [string, string][] {
  const targets = [...to]
  return [...from].map((character, index) => [character, targets[index]!])
}
