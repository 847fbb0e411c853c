import { fold } from './fold.ts'

/** Words are compared folded, so these lists are folded too. */
const words = (list: string) => new Set(list.split(/\s+/).map(fold))

/** English needs care, since "ignore the previous index" is ordinary work: verb, qualifier and object must all fit. */
export const ENGLISH = {
  /** Nobody uses these on instructions but to get rid of them. */
  dismiss: words('ignore disregard forget'),
  /** Ordinary verbs of programming: only with the clearest of objects. */
  replace: words('override overrule overwrite bypass discard abandon neglect skip drop cancel'),
  /** With a negation in front: "do not follow", "stop obeying". */
  comply: words('follow obey following obeying heed'),
  negation: words('not dont never stop cease'),
  earlier: words(
    'previous prior earlier above preceding foregoing existing original initial former past aforementioned before previously your yours told taught learned',
  ),
  ownership: words('system safety developer'),
  instruction: words(
    'instruction instructions instruct directive directives guideline guidelines prompt prompts guardrail guardrails safeguard safeguards directions',
  ),
  rule: words(
    'rule rules command commands order orders constraint constraints context restriction restrictions training programming policy policies conversation everything anything',
  ),
  filler: words(
    'the of all any every and or that which were was are is be been have has had you i we they a an to in from this these those set given received by other such whatever completely entirely please just now immediately also so far as it my our me us',
  ),
}

/** Other languages: one word of each kind close together, in any order. */
export const OTHER_LANGUAGES = [
  // German, Dutch, Swedish and its neighbours
  [
    'ignoriere ignoriert ignorieren vergiss vergesse missachte',
    'anweisungen anweisung instruktionen befehle vorgaben regeln',
    'vorherigen vorherige bisherigen bisherige vorigen obigen früheren alle deine',
  ],
  ['negeer vergeet', 'instructies opdrachten regels aanwijzingen', 'vorige eerdere bovenstaande voorgaande'],
  [
    'ignorera glöm ignorer glem',
    'instruktioner instruksjoner instrukser anvisningar',
    'tidigare föregående tidligere forrige ovanstående',
  ],
  // French, Spanish, Portuguese, Italian, Romanian
  [
    'ignore ignorez ignorer oublie oubliez',
    'instructions consignes directives règles',
    'précédentes précédents antérieures dessus',
  ],
  [
    'ignora ignore ignorar ignorad olvida olvide olvidar',
    'instrucciones indicaciones órdenes reglas',
    'anteriores previas previos',
  ],
  [
    'ignore ignora ignorar esqueça esquece desconsidere',
    'instruções orientações ordens regras',
    'anteriores prévias acima',
  ],
  [
    'ignora ignorate ignorare dimentica dimenticate',
    'istruzioni direttive regole comandi',
    'precedenti sopra anteriori',
  ],
  ['ignoră ignora uită', 'instrucțiunile instructiunile', 'anterioare precedente'],
  // Polish, Czech, Russian, Ukrainian
  ['zignoruj ignoruj zapomnij pomiń', 'instrukcje instrukcji polecenia', 'poprzednie wcześniejsze powyższe'],
  ['ignoruj ignorujte zapomeň', 'pokyny instrukce příkazy', 'předchozí předešlé'],
  [
    'игнорируй игнорируйте проигнорируй забудь забудьте',
    'инструкции инструкций указания команды',
    'предыдущие предыдущих прежние',
  ],
  ['ігноруй ігноруйте забудь', 'інструкції вказівки', 'попередні попередніх'],
  // Turkish, Indonesian, Vietnamese, Arabic, Hindi
  ['yoksay unut gelin gel', 'talimatları talimatlarını talimatlar', 'önceki yukarıdaki'],
  ['abaikan lupakan', 'instruksi perintah petunjuk', 'sebelumnya'],
  ['bỏ', 'hướng', 'trước'],
  ['تجاهل انس', 'التعليمات الأوامر', 'السابقة السابقه'],
  ['अनदेखा नज़रअंदाज़ भूल', 'निर्देशों निर्देश', 'पिछले पिछली'],
].map((kinds) => kinds.map(words))

/** Languages written without spaces. */
export const UNSPACED = [
  /(?:忽略|无视|無視|忘记|忘記|忽视|忽視)[^。！？\n]{0,12}(?:之前|以前|先前|前面|以上|上述|上面|所有)[^。！？\n]{0,12}(?:指令|指示|提示|说明|說明|规则|規則|命令)/g,
  /(?:以前|前|上記|これまで|今まで)の[^。！？\n]{0,12}(?:指示|命令|指令|プロンプト)[^。！？\n]{0,8}(?:無視|忘れ)/g,
  /(?:이전|앞|위)[^.!?\n]{0,10}(?:지시|명령|지침|프롬프트)[^.!?\n]{0,10}(?:무시|잊)/g,
]

/**
 * Phrases that address the reader of memory as an agent to be steered. A slot is a set of words, `?` makes it optional,
 * `*` lets up to four of its words stand there.
 */
export const PHRASES: readonly { words: Set<string>; repeat: '1' | '?' | '*' }[][] = [
  'you are now a|an|the|dan|unrestricted|jailbroken|unfiltered',
  'disregard|ignore|forget the above and|then',
  'you are now in|entering developer|debug|god|admin|jailbreak|unrestricted mode',
  'your new task|instructions|goal|objective|orders is|are to',
  'new instructions ?for ?you you must|will|shall',
  'you are no longer bound|restricted|limited|an|a',
  'from now on ?and ?you are|act|answer|respond|reply|behave|pretend|obey|speak',
  'from now on you will|must|shall only|always|never|ignore|obey|answer|respond',
  'pretend to be|that|you ?you ?are ?a|an|the|have',
  'act|behave as if|though you',
  'enable|enter|activate|into|in dan|jailbreak|god|unrestricted|unfiltered mode',
  'your|the new|updated|real|true instruction|instructions|orders|directive|directives|objective are|is|follow|now|begin',
  'new|updated system prompt|instructions|instruction',
  'reveal|print|repeat|show|output|leak|expose|display|disclose|dump|send *me|us|all|the|of|out your|hidden *system|hidden|secret|initial|full|entire|original|exact prompt|prompts|instructions|instruction',
  'not|dont|never|without tell|inform|mention|notify|alert|telling|informing|notifying|mentioning *this|it|that|anything|about|to ?the user|human|developer|operator|anyone *about|this|it|that',
  'this|following *message|instruction|instructions|note|request|order|is|comes|a|an|direct from *the|your system|administrator|admin|anthropic|openai|operator|creator',
  'i am|im *the|your|a administrator|creator|anthropic|operator|developer',
  'as *the|your|a|system administrator|creator|operator ?of ?this i|you order|command|must|instruct|authorize|authorise|require|will|are',
  'the user|human|administrator|operator|developer has ?already approved|authorized|authorised|allowed|granted *you|full|any this|all|these|any|everything|permission',
].map((phrase) =>
  phrase.split(' ').map((slot) => ({
    repeat: slot.startsWith('?') ? '?' : slot.startsWith('*') ? '*' : '1',
    words: words(slot.replace(/^[?*]/, '').replaceAll('|', ' ')),
  })),
)

/** Every word that can take part: obfuscated text is searched for these. */
export const VOCABULARY = new Set<string>([
  ...Object.values(ENGLISH).flatMap((set) => [...set]),
  ...PHRASES.flatMap((phrase) => phrase.flatMap((slot) => [...slot.words])),
])
