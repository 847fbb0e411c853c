/** The words that build a sentence, for reading statements. Lists, no rules. */

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/))

/** Build the sentence and carry no meaning of their own; also the verbs that merely say "do this". */
export const FUNCTION_WORDS = words(`
  a an the is are was were be been being am do does did doing done has have had having will would shall should can could may
  might must ought of it its this that these those which who whom whose there and or nor also as at by for i you we they he she
  him her his hers their our your my me us them so any anything perhaps maybe possibly probably just please really very quite rather actually currently
  simply get gets getting got let lets then such too either yet use uses used using prefer prefers preferred upon about than how
  what where why to ne mai никогда nigdy going able allowed permitted but because since although though while whereas when whenever if
  otherwise`)

/** May be there or not: the statement stays the same. */
export const LIGHT_WORDS = words(`
  some someone somebody person persons people one ones group another other others together each both piece pieces bit kind sort color
  colored coloured made dressed clothes clothing wearing wears dyed look looks looking now already even still own code project repo repository
  perform performs performed performing always ever anymore longer several few many lot lots here sure else all every everything whole totally completely absolutely entirely fully exactly`)

export const DIRECTIONS = words(`
  up down in into inside out outside off on onto over under above below beneath before after behind front near far from toward
  towards away against through beyond underneath across along around beside between with within during until for than`)

/** Those that are missed when they are not there. */
export const WEIGHTY_DIRECTIONS = words(
  'before after until against behind front inside outside away beyond beneath above below under into onto off near toward towards down out far',
)

/** How far something goes. */
export const QUANTIFIERS = words(
  'only everywhere anywhere everyone anyone everybody anybody everything anything always sometimes usually',
)
const QUANTITIES = [
  'all every each everything whole both everyone everybody',
  'some several few',
  'many lot lots',
  'one',
  'other others',
].map(words)

/** Words of one class say that it holds for as many. */
export function quantityClass(word: string): number | undefined {
  const found = QUANTITIES.findIndex((members) => members.has(word))
  return found < 0 ? undefined : found
}

/** Before a number they say on which side of it something is. */
export const LIMITS = words('over under above below beneath beyond within')

export const DETERMINERS = words('a an the this that these those its his her hers their our your my some any')

export const AUXILIARIES = words(
  'is are was were be been being am do does did has have had will would shall should can could may might must need needs to',
)
/** Begin a new part: what was denied before is not denied after. */
export const NEW_CLAUSE = words(
  'but because since although though while whereas so when whenever if unless otherwise',
)
export const ENDS_PHRASE = words(
  'for in on at when if because with to as by during while from into where and',
)

/** Deny the whole part of the statement in which they stand, also what comes before: "X must be avoided". */
export const DENIALS = words(`
  never no none nobody nothing neither cannot avoid avoids avoiding avoided cease unable lack lacks lacked lacking
  unless forbid forbids forbidden prohibit prohibits prohibited ban bans banned disallow disallows disallowed discouraged refrain`)
/** Leave exceptions open, so that they are not the same as "never". */
export const MOSTLY_DENIALS = words('hardly scarcely rarely seldom infrequently')
/** Look like denials and are none. */
export const NO_DENIALS: ReadonlySet<string> = new Set([
  'no matter',
  'no doubt',
  'no wonder',
  'nothing but',
  'none other',
  'without doubt',
  'without question',
])
/** After "not" they leave some, or a part of it. */
export const UNIVERSAL =
  /^(?:all|every|everyone|everybody|everything|always|both|entirely|completely|fully|totally|wholly|exactly|quite)$/
/** Before "to": a verb comes after it. */
export const BEFORE_VERB =
  /^(?:wants?|tr(?:y|ies|ied|ying)|likely|ready|order|sure|safe|needed|how|decided?|begins?|starts?|attempts?)$/
/** Before "to": it was not done. */
export const LEFT_UNDONE = /^(?:(?:fail|refuse|decline|neglect)(?:s|d|ed)?|forget|forgets|forgot|forgotten)$/
/** This and nothing more; after "not": more than this. */
export const EXTENT = /^(?:only|just|merely|simply|solely|purely)$/
/** Learnings are written in other languages too; where a language denies twice, one of the two words counts. */
export const FOREIGN_DENIALS = words(`
  nicht kein keine keinen keiner nie niemals ohne pas jamais aucun aucune sans nunca sin ningún non senza não sem niet geen nooit
  zonder inte aldrig ikke bez не нет без`)
/** Deny only the words that follow. */
export const PHRASE_DENIALS = words('without except excluding')

export const NUMBER_WORDS = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, index): [string, string] => [word, String(index)]),
)

/** After these, "over" means "rather than". */
export const PREFERENCE = /^(?:prefer|prefers|preferred|choose|chose|chosen|favou?r|favou?red|pick|picked)$/

/** Between two nouns they say no more than that the one is for, of or in the other. */
export const LINKS = /^(?:built|bred|suited|designed|meant|intended|covered|filled|situated|located)$/
/** What a name from the code is the name of. */
export const NAMED_THINGS = words(
  'variable variables environment env function method class type file folder directory command flag option setting field column table key package module script endpoint branch',
)
/** Before "of": they are as many as they are. */
export const COLLECTIONS = /^(?:group|set|pack|bunch|flock|herd|crowd|number|couple|pair)s?$/
