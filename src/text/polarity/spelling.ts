/** British spellings and the American ones they are compared by. Both sides are read in this way, so that no word needs to be known. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/(?<=[a-z]{3})is(?=(?:e|es|ed|er|ers|ing|ation|ations)$)/, 'iz'],
  [/(?<=[a-z]{2})ys(?=(?:e|es|ed|er|ers|ing)$)/, 'yz'],
  [/(?<=[a-z]{3})our(?=(?:s|ed|ing|ful|ite|able|less|al)?$)/, 'or'],
  [/(?<=[aeiou][a-z]{0,12}[aeiou])ll(?=(?:ed|ing|er|ers|ment|s)?$)/, 'l'],
  [/(?<=[a-z]{2})tre(?=[ds]?$)/, 'ter'],
  [/(?<=[a-z]{2}o)gue(?=s?$)/, 'g'],
  [/(?<=^(?:lic|def|off|pret))ence/, 'ense'],
  [/^grey/, 'gray'],
]

/** "behaviour" as "behavior", "cancelled" as "canceled". */
export function americanSpelling(word: string): string {
  return SPELLINGS.reduce((spelled, [british, american]) => spelled.replace(british, american), word)
}
