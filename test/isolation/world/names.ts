/** Names of features that are easily taken for one another: each is a feature of its own in every project. */
export const FEATURES = [
  // Of the first eight digits of their hashes, all are the same: names of collections are made of those.
  ...['step-4133', 'step-72107'],
  // Alike but for case, for a sign or for how a file system writes them.
  ...['login', 'Login', 'LOGIN', 'log-in', 'log_in', 'log in', '%6cogin'],
  // One the beginning of the other.
  ...['pay', 'pay-', 'payments', 'payments-2', 'general'],
  // Beyond ASCII: composed, compatible, folded to the same.
  ...['caf\u00e9', 'cafe', 'stra\u00dfe', 'strasse', '\ufb01le', 'file'],
  // What stands for something else elsewhere: patterns, quotes, paths, devices.
  ...['100%', 'pay*', `it's`, '"login"', 'src/login', 'con'],
] as const

/** Ids of projects that hash alike, as the names of features above. */
export const PROJECT_IDS = [
  '00000000-0000-4000-8000-000000021083',
  '00000000-0000-4000-8000-000000070264',
] as const

/** Other ways to write the same feature: what is asked for by them is answered from where it is meant. */
export function spelled(name: string, way: number): string {
  const ways = [name, name.normalize('NFD'), ` ${name} `]
  return ways[way % ways.length]!
}

/** Names of no feature that lead to one where somebody cuts, folds or unescapes them. */
export const NO_FEATURES = [
  ...['logi', 'login%', 'login*', 'LogIn', '../login', '..%2flogin', 'login.jsonl', 'login\\', '%', '*', '_'],
  ...['loġin', 'ｌｏｇｉｎ', 'step-', "' or 1=1 --", 'e8ce13e6', '.', 'STRASSE', 'caf', '%25'],
] as const
