/** Masks, in the order they must be tried: what holds digits of its own comes before plain numbers. */
const MASKS: readonly (readonly [pattern: RegExp, mask: string])[] = [
  // Terminal colours.
  [/\x1b\[[0-9;?]*[A-Za-z]/g, ''],
  [/\bhttps?:\/\/([^\s/'"`):]+)[^\s'"`)]*/g, '$1'],
  [/\b\d{4}-\d{2}-\d{2}(?:[t ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:z|[+-]\d{2}:?\d{2})?)?\b/g, '<time>'],
  [/\b\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)(?: ?[ap]m)?\b/g, '<time>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<id>'],
  // Request, trace and session ids: `req_011CSHoEeqs5`, and any long mixture of letters and digits.
  [
    /\b(?:req|request|trace|span|msg|call|toolu|sess?|session|evt|job|run|tx)[_-](?=[a-z_-]*\d)[\w-]{6,}/g,
    '<id>',
  ],
  [/\b(?=(?:[a-z]*\d){3})(?=\d*[a-z])[a-z0-9]{16,}\b/g, '<id>'],
  [/\b0x[0-9a-f]+\b/g, '<address>'],
  [/\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b/g, '<host>'],
  [/\b(localhost|[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}):\d{2,5}\b/g, '$1'],
  // Commits and digests: hexadecimal with at least one digit and one letter, so that neither words nor numbers match.
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,}\b/g, '<id>'],
  // What lies directly in a folder for temporary things has a name made up for one run.
  [
    /(?:[a-z]:)?(?:\/private)?(?:\/tmp|\/var\/tmp|\/var\/folders\/[^\s/]+\/[^\s/]+\/t|\/run\/user\/\d+|[\\/][^\s]{0,200}[\\/]appdata[\\/]local[\\/]temp)[\\/][\w.@+~-]*[\w@+~-](?![\w@+~-]*[\\/])/g,
    '<temporary>',
  ],
  // Directories differ between machines and runs; the file's own name says which error it is.
  [/(?:file:\/\/)?(?:[a-z]:)?(?:[\w.@~+-]{0,255}[\\/])+([\w.@+-]*[\w@+-])?/g, '$1'],
  // A place in a file moves with every edit above it.
  [/(\.\w{1,8})(?::\d+(?::\d+)?|\(\d+,\d+\))/g, '$1'],
  [/\b(?:line|col|column) \d+\b/g, '<place>'],
  [
    /\b(?:\d[\d_,]*(?:\.\d+)?(?:e[+-]?\d+)? ?(?:ms|[nµu]s|s|m|h|mins?|secs?|(?:milli)?seconds?|minutes?|hours?)\b[ ,]*)+(?<! )/g,
    '<duration>',
  ],
  [/\b\d[\d_,]*(?:\.\d+)?(?= ?(?:[kmg]i?b|bytes)\b| ?%)/g, '<n>'],
  [/(?<![\w.])-?\d[\d_,]*(?:\.\d+)*(?![\w])/g, '<n>'],
]

/** Longer messages are told apart by their beginning. */
const LONGEST = 400

/**
 * The form in which two reports of the same error are equal: without what changes from run to run (numbers, directories,
 * line numbers, ids, addresses, times, colours, spacing, case). Codes such as TS2322 and names in quotes stay.
 */
export function errorSignature(message: string): string {
  let text = message.slice(0, LONGEST * 4).toLowerCase()
  for (const [pattern, mask] of MASKS) text = text.replace(pattern, mask)
  return text.replace(/\s+/g, ' ').trim().slice(0, LONGEST)
}

/** A failure of which only the fact is told: the next one that reads the same may be quite another. */
const BARE =
  /^`[^`]*` (?:failed|was killed)(?: \(?(?:with )?exit code <n>\)?)?\.?$|^(?:exit code|command failed|failed)[\s<>n:]*$|^failed without a message$/
/** A closing line: how many failed, not which. */
const COUNT =
  /^(?:[#ℹ] fail <n>|tests?:? .*<n> failed.*|<n> failing|(?:.*, |[= ]*)<n> (?:failed|errors?)\b.* in .*|failed \((?:failures|errors)=.*\)|test result: failed\..*|fail \S+.*|found <n> errors?.*|error: could not compile .*|✖ <n> problems?.*|<n> (?:tests?|specs?|checks?|suites?) .*fail\w*)$/

/** Whether the words of an error say what went wrong, so that the same words mean the same error. */
export function isTelling(signature: string): boolean {
  return !BARE.test(signature) && !COUNT.test(signature)
}

/** Whether two failures reported the same, by their signatures. */
export function isSameFailure(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((signature) => other.includes(signature))
}
