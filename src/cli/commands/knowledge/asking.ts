import type { Command } from 'commander'
import { requireOutsideRun } from '../../../person.ts'
import type { Pattern as KnowledgePattern } from '../../../project-knowledge/patterns.ts'
import type { Ralph } from '../../../ralph.ts'
import { plural } from '../../../text/plural.ts'
import { shortId } from '../../../text/short-id.ts'
import { oneLine } from '../../../text/truncate.ts'
import { parseFraction, parseWholeNumber, ralphCommand, typedQuestion, withExamples } from '../../command.ts'
import type { Output } from '../../output.ts'

/** The loop asks for its agent, and shows what is worth showing. */
export function requireAsker({ config }: Ralph): Promise<void> {
  return requireOutsideRun(config, 'ask project knowledge in a run', 'the loop has told it what is known')
}

interface About {
  agentType?: string
  taskType?: string
  technology?: string
  error?: string
}

export function registerAsking(knowledge: Command): void {
  const query = about(
    knowledge
      .command('query <description...>')
      .description('patterns for a task, or, with --error, for a failure'),
  )
    .option('--limit <number>', 'most patterns', parseWholeNumber('--limit', 1))
    .option('--min-score <number>', 'leave out what scores lower, 0 to 1', parseFraction('--min-score'))
    .option('--explain', 'say what the order is made of')
  withExamples(
    query,
    'ralph knowledge query "add an index to the orders table" --technology postgres --explain',
    'ralph knowledge query "migration fails" --error "canceling statement due to statement timeout"',
  )
  ralphCommand<About & { limit?: number; minScore?: number; explain?: boolean }>(
    query,
    async ({ ralph, options, out, signal }, ...words) => {
      const description = described(words, options)
      await requireAsker(ralph)
      const { agentType, taskType, technology, error, limit, minScore } = options
      const question = { description, agentType, taskType, technology, error }
      const patterns = await ralph.knowledge.ask(question, { limit, minScore, signal })
      out.result({ patterns }, () =>
        patterns.map((pattern) => patternText(out, pattern, options.explain ?? false)).join('\n\n'),
      )
      if (patterns.length === 0) out.talk('Nothing similar enough is known.')
    },
  )

  const context = about(
    knowledge
      .command('context <description...>')
      .description("the block that would stand in the agent's prompt"),
  )
  withExamples(context, 'ralph knowledge context "add an index to the orders table" --agent-type backend')
  ralphCommand<About>(context, async ({ ralph, options, out, signal }, ...words) => {
    const description = described(words, options)
    await requireAsker(ralph)
    const { error, agentType, taskType, technology } = options
    const task = {
      description,
      agentType,
      taskType,
      technology,
      failure: error === undefined ? undefined : { error },
    }
    const block = await ralph.knowledge.contextFor(task, { signal })
    out.result({ context: block ?? null }, () => block ?? '', { ours: true })
    if (block === undefined) out.talk('Nothing similar enough is known: no block.')
  })
}

/** An error says enough by itself. */
function described(words: readonly string[], { error }: About): string {
  return error === undefined ? typedQuestion(words) : words.join(' ')
}

function about(command: Command): Command {
  return command
    .option('--agent-type <name>', 'only entries of this agent type, or of any')
    .option('--task-type <name>', 'only entries of this task type, or of any')
    .option('--technology <name>', 'only entries of this technology, or of any')
    .option('--error <text>', 'the error message, when something has failed')
}

function patternText(out: Output, pattern: KnowledgePattern, explain: boolean): string {
  const { problem, solution, whenToTry, successCount, score, matched, rank, setAside, conflictsWith } =
    pattern
  const facts = [
    plural(successCount, 'success', 'successes'),
    `similarity ${score.toFixed(2)} (${matched.join(', ')})`,
    pattern.kind,
  ]
  return [
    `${out.style('bold', shortId('knowledge', pattern.id))}  ${oneLine(problem, 160)}`,
    out.style('dim', `  ${facts.join(' · ')}${setAside ? ' · set aside: it has misled too often' : ''}`),
    `  solution     ${oneLine(solution, 300)}`,
    `  when to try  ${oneLine(whenToTry, 160)}`,
    ...conflictsWith.flatMap(({ id, how }) => {
      const other = shortId('knowledge', id)
      return how === 'opposite'
        ? [
            out.style('yellow', `  says the opposite of ${other}`),
            `  → ralph knowledge show ${other}; the wrong one goes with: ralph knowledge forget ID`,
          ]
        : [out.style('yellow', `  another answer is ${other} (ralph knowledge show ${other})`)]
    }),
    ...(explain
      ? [
          `  rank ${rank.value.toFixed(3)} = ${rank.factors.map(({ name, factor, because }) => `${name} ${factor.toFixed(2)} (${because})`).join(' × ')}`,
        ]
      : []),
  ].join('\n')
}
