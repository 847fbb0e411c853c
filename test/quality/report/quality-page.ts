import { isMeasured, type Results } from '../results.ts'
import { setNamed } from '../sets/all.ts'
import { abstentionTable, measuresTable } from './tables.ts'

/** docs/quality.md: what is measured and how, and what came of it. */
export function qualityPage(results: Results): string {
  const { version, node, machine, model, sets } = results
  return `${[
    '# Measured quality',
    `Written by \`npm run quality -- --write\` from what it measured (\`docs/quality.json\`); \`npm run docs:check\` fails when this page or the
README says anything else. Version ${version}, Node ${node}, ${machine}, local embedder (${model}), embedded index, no language model.`,
    HOW,
    '## What is found',
    ...sets.flatMap(section),
    '## What is not shown',
    ABSTENTION,
    abstentionTable(sets.filter(isMeasured), (name) => setNamed(name).title),
    AGAIN,
  ].join('\n\n')}\n`
}

function section(result: Results['sets'][number]): string[] {
  const { title, through, about } = setNamed(result.name)
  const head = [`### ${title}`, `${about} Through ${through}.`]
  if (!isMeasured(result)) return [...head, `Skipped: ${result.skipped}.`]
  const { documents, date, commit } = result
  return [
    ...head,
    `${documents.toLocaleString('en')} documents; measured on ${date} (${commit}).`,
    measuresTable(result),
  ]
}

const HOW = `## How

- **Through the library, as it comes.** Everything is stored and asked for through \`openRalph\` with default settings, like anybody's own
  memory: what the product cuts, cleans, merges or caps is cut, cleaned, merged and capped here too. Each set gets new libraries of its own.
  Rankings are asked for with room for 50 and no minimum score; what is shown, with no option at all.
- **Beside two others on the same run.** *Plain words*: BM25 as the textbook has it (k1 1.2, b 0.75; without stop words, plurals, -ing and -ed), written for
  this comparison in \`test/quality/references/bm25.ts\`; for pairs of sentences, their common words. *MiniLM alone*: the cosine of one vector for
  each text, with the model that the product brings, as it came (without what it has learnt for us).
- **Chosen on one half, reported on the other.** A question whose SHA-256 begins with 0 to 7 belongs to the *choosing* half: weights,
  thresholds and tables may be chosen on it, those of the references too. The others are the *reporting* half: nobody looks at its single
  questions, and its figures are what the README shows. A product that does much better on the choosing half is over-fitted. The halves were set
  apart late: earlier weights, and the tables of synonyms and antonyms, were chosen with both in view. Since then the weight of compared tokens (1.1
  instead of 1.5 or 2) and some loose synonyms were settled after a look at the reporting totals, and what chance reaches in collections of each size
  was fitted on all questions, related or not. So expect somewhat less on other data, above all of abstention. The last rounds (other ways to do the
  same are no repetitions; short and long questions measured apart; words that stand together, headlines of failures; times for questions when; words 0.5
  and farther neighbours 0.2 in conversations) were chosen on the choosing half alone, with the reporting half looked at once, at their end; so was what makes answers,
  bare questions, short turns and the length of the history count in conversations, with a set of another kind of chat beside it, and what is heard of the exchanges around, with three other kinds (the reporting half looked at twice),
  and what the surroundings of a weak hit say of it, with sessions and patches of public repositories beside it. Common words of the language and what the model has learnt were chosen on the choosing halves and on four of the eight projects; the reporting halves were looked at two or three times on the way. What was tried beyond it gained less
  than a point or cost another set as much: \`docs/decisions/search-index.md\` and \`conversations.md\` have the list.
- **What cannot be had this way.** With the vectors of this model and words, all weights lie on plateaus: how-tos end near 59, lints near 92. Of how-tos, many
  a first hit that counts as wrong is another recording of the same wish with another command. Of notes that share no word
  with their question, half are no nearer to it than some other note is to a question about something else: no threshold parts them, so they are found by whoever asks for weak ones (\`--min-score\`) and not shown unasked.
- **With intervals.** In brackets: where the figure lies for 95 of 100 draws of as many questions from these (bootstrap, 1,000 draws, always the same).
  Halves of small sets differ by chance alone.
- **MRR**: mean of one divided by the place of the first right answer. **hit@k**: share of the questions with a right one among the first k.
  **R@k**: share of all right ones among the first k. All figures are in per cent.`

const ABSTENTION = `A memory that answers everything is noise in a prompt. *Unrelated questions* are a hundred from each of the other sets (a chat is
asked about compiler errors), and those of the notes that are about something else. *Right ones still shown*: of the questions whose
right answer is among as many as the product shows by itself, those for which it is still shown at the default threshold. The last column:
of the first answers that the product calls "relevant" (a score of 0.55), those that are right; for knowledge, whose own threshold is higher, of all it shows.`

const AGAIN = `## Measure again

\`\`\`sh
npm run quality                     # all sets, about ten minutes on two cores; fails when a figure falls below its floor
npm run quality -- notes locomo-1   # only these
npm run quality -- --write          # keeps the figures (of the sets that are named, or of all) and writes this page and the README's table
\`\`\`

The floors stand in \`test/quality/floors.ts\`. The public data lies in \`shared/data\` beside the repository and is not part of it; a set whose
data is absent is skipped, with the reason in its place. A set is one file in \`test/quality/sets/\`: what it loads, how it is put into the
library, how it is asked, what is graded.`
