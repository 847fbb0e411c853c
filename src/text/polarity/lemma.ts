import { stem } from '../stem.ts'
import { americanSpelling } from './spelling.ts'

/** Forms that no rule of endings reaches: each line is the base form, then what it turns into. */
const IRREGULAR_FORMS = `
man men|woman women|child children|person people|foot feet|tooth teeth|mouse mice|index indices|vertex vertices|datum data
matrix matrices|knife knives|half halves|shelf shelves|wolf wolves
add adds added adding|err errs erred erring
arise arose arisen|awake awoke|bear bore borne|beat beaten|become became|begin began begun|bend bent|bind bound|bite bit bitten
blow blew blown|break broke broken|bring brought|build built|burn burnt|buy bought|catch caught|choose chose chosen|cling clung
come came|creep crept|deal dealt|dig dug|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven|eat ate eaten
fall fell fallen|feed fed|feel felt|fight fought|find found|flee fled|fly flew flown|forbid forbade forbidden|forget forgot forgotten
freeze froze frozen|give gave given|go went gone goes|grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep kept
kneel knelt|know knew known|lay laid|lead led|leap leapt|learn learnt|leave left|lend lent|lie lain lying|light lit|lose lost|make made
mean meant|meet met|pay paid|prove proven|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought
sell sold|send sent|shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat
sleep slept|slide slid|speak spoke spoken|spend spent|spin spun|stand stood|steal stole stolen|stick stuck|sting stung|strike struck
swear swore sworn|sweep swept|swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told|think thought
throw threw thrown|understand understood|wake woke woken|wear wore worn|win won|wind wound|write wrote written
good better best|bad worse worst`

const BASE_FORMS = new Map(
  IRREGULAR_FORMS.split(/[|\n]/).flatMap((line) => {
    const [base, ...forms] = line.trim().split(' ')
    return forms.map((form): [string, string] => [form, base!])
  }),
)

const PARTICIPLES = new Set(BASE_FORMS.keys())
const UNCHANGED_PARTICIPLE =
  /^(?:cut|put|set|shut|split|spread|read|run|hit|let|cast|hurt|reset|built|come|become)$/

/** Statements are compared with many others: the same words come up again and again. */
const known = new Map<string, string>()
const MOST_KNOWN = 5_000

/** "overridden" is formed as "ridden" is, "rebuilt" as "built". */
const BEFORE_VERB = /^(?:re|over|under|out|un|mis|fore|with)(?=[a-z]{3})/

/** One form for all forms of a word: "ridden", "riding" and "rides" are "ride". */
export function lemma(word: string): string {
  const before = known.get(word)
  if (before !== undefined) return before
  const base = baseForm(word)
  const found = /^[a-z]+$/.test(base) ? stem(americanSpelling(base)) : base
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(word, found)
  return found
}

function baseForm(word: string): string {
  const [prefix = ''] = BEFORE_VERB.exec(word) ?? []
  const form = BASE_FORMS.get(word)
  if (form !== undefined || prefix === '') return form ?? word
  const verb = BASE_FORMS.get(word.slice(prefix.length))
  return verb === undefined ? word : prefix + verb
}

/** May this be what follows "is" in the passive voice? */
export function isParticiple(word: string): boolean {
  return /(?:ed|en|wn)$/.test(word) || PARTICIPLES.has(word) || UNCHANGED_PARTICIPLE.test(word)
}
