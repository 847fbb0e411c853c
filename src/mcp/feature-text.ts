import type { Ralph } from '../ralph.ts'
import { plural } from '../text/plural.ts'
import { sanitise } from '../text/sanitise.ts'

/** A feature as a page of Markdown: what it is, where it stands, what to read. */
export async function featureText(ralph: Ralph, name: string): Promise<string> {
  const feature = await ralph.board.findFeature(name)
  const { iterations } = await ralph.featureMemory.statistics(name)
  if (!feature)
    return `# ${sanitise(name)}\n\nNot described on the board. ${plural(iterations, 'iteration')} in memory.\n`
  const files = [...feature.knowledgePaths, ...feature.contextFiles.map(({ path }) => path)]
  const sections: [title: string, body: string | undefined][] = [
    ['Description', feature.description],
    ['Architecture', feature.architecture],
    ['Boundaries', feature.boundaries],
    ['Dependencies', feature.dependencies.map((line) => `- ${line}`).join('\n')],
    [
      'Current state',
      `${await ralph.board.currentState(name)} ${plural(iterations, 'iteration')} in memory.`,
    ],
    ['Learned so far (observations: verify before relying on them)', await learned(ralph, name)],
    ['Files', files.map((path) => `- ${path}`).join('\n')],
  ]
  return [
    `# ${sanitise(feature.displayName ?? feature.name)}`,
    ...sections.filter(([, body]) => body).map(([title, body]) => `## ${title}\n\n${sanitise(body!)}`),
  ].join('\n\n')
}

async function learned(ralph: Ralph, feature: string): Promise<string> {
  const [latest] = await ralph.featureMemory.recent(feature, 1)
  const learnings = await ralph.learnings.list(feature, { iteration: latest?.iterationNumber })
  return learnings
    .map(({ id, text, reason, source, reviewed, iteration, remarks }) => {
      const facts = [id, source, reviewed ? 'reviewed' : 'not reviewed']
      if (iteration !== undefined) facts.push(`iteration ${iteration}`)
      return `- ${text} [${[...facts, ...remarks].join(', ')}] because: ${reason}`
    })
    .join('\n')
}
