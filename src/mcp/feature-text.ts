import { LEARNING_CAP } from '../learnings/learning.ts'
import type { Ralph } from '../ralph.ts'
import { plural } from '../text/plural.ts'
import { nameOrQuoted, quoted, quotedLines } from '../text/quote.ts'

const LONGEST_NAME = 100
const LONGEST_ENTRY = 500

/** A feature as a page of Markdown: what it is, where it stands, what to read. Headings and facts are ours, the rest is quoted. */
export async function featureText(ralph: Ralph, name: string): Promise<string> {
  const feature = await ralph.board.findFeature(name)
  const { iterations } = await ralph.featureMemory.statistics(name)
  const inMemory = `${plural(iterations, 'iteration')} in memory.`
  if (!feature) return `# ${quoted(name, LONGEST_NAME)}\n\nNot described on the board. ${inMemory}\n`
  const files = [...feature.knowledgePaths, ...feature.contextFiles.map(({ path }) => path)]
  const sections: [title: string, body: string][] = [
    ['Description', quotedLines(feature.description ?? '')],
    ['Architecture', quotedLines(feature.architecture ?? '')],
    ['Boundaries', quotedLines(feature.boundaries ?? '')],
    ['Dependencies', feature.dependencies.map((line) => `- ${quoted(line, LONGEST_ENTRY)}`).join('\n')],
    ['Current state', `${await ralph.board.currentState(name)} ${inMemory}`],
    ['Learned so far (observations: verify before relying on them)', await learned(ralph, name)],
    ['Files', files.map((path) => `- ${nameOrQuoted(path)}`).join('\n')],
  ]
  return [
    `# ${quoted(feature.displayName ?? feature.name, LONGEST_NAME)}`,
    ...sections.filter(([, body]) => body !== '').map(([title, body]) => `## ${title}\n\n${body}`),
  ].join('\n\n')
}

async function learned(ralph: Ralph, feature: string): Promise<string> {
  const [latest] = await ralph.featureMemory.recent(feature, 1)
  const learnings = await ralph.learnings.list(feature, { iteration: latest?.iterationNumber })
  return learnings
    .map(({ id, text, reason, source, reviewed, iteration, remarks }) => {
      const facts = [id, source, reviewed ? 'reviewed' : 'not reviewed']
      if (iteration !== undefined) facts.push(`iteration ${iteration}`)
      const because = `because: ${quoted(reason, LEARNING_CAP)}`
      return `- ${quoted(text, LEARNING_CAP)} (${[...facts, ...remarks, because].join(', ')})`
    })
    .join('\n')
}
