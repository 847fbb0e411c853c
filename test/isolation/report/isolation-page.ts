import { markdownTable } from '../../../scripts/measured/measured-page.ts'
import type { IsolationResults, IsolationRow } from '../results.ts'
import { SURFACES } from '../surfaces/all.ts'
import { DRIVER_WORDS, DRIVERS } from '../world/drivers.ts'

/** The whole page. */
export function isolationPage(results: IsolationResults): string {
  const { rows, date, commit, version, node, machine, seed, worlds } = results
  const minutes = Math.round(worlds.reduce((sum, world) => sum + world.minutes, 0))
  const [searches, leaks] = [sum(rows, 'searches'), sum(rows, 'leaks')]
  return `# Isolation

What one place remembers is shown nowhere else. \`npm run isolation\` asks every way in which memory is shown, on every driver, at random,
and counts whatever comes from elsewhere: **${count(leaks)} in ${count(searches)} searches** (${date}, commit ${commit}, version ${version},
Node ${node}, ${machine}, seed ${seed}, ${minutes} minutes).

Every place of its world (a feature of a project of a person) remembers the same: the same sentences, errors, titles, task ids, names of
files, conversations and documents, with nearly the same vectors. What is its own are two words: one that others ask for, so that what is
kept there would be the best answer to them, and one that nobody ever asks for, by which whatever is shown tells where it belongs. Names of
features are those that are easily taken for one another: by case, by their beginning, by how Unicode or a file system writes them, by
the beginning of their hash, as patterns, quotes and paths; so are the ids of two projects. In the worlds with a team's database, one home folder
works for two teams. Some memories were forgotten, some conversations shared and taken back, before anybody asked.

## On each driver

${driversTable(results)}

"Own" are memories that were shown where they belong, each once for each answer: a surface that showed none would prove nothing, and fails the run.

## On each surface

${surfacesTable(rows)}

## What counts as elsewhere

Whatever was forgotten is elsewhere everywhere. Beyond that:

${markdownTable(
  ['surface', 'what is asked', 'elsewhere'],
  SURFACES.map(({ name, asks, elsewhere }) => [name, asks, elsewhere]),
)}

Project knowledge crosses projects by design, for whoever orchestrates: the loop puts it into a prompt, a person may look at it. It never
crosses storages (a home folder, or the database of a team), and over MCP, in hooks and in the run of an agent it is not shown at all.
What a receipt keeps is what was shown in its project, to its person.

## Whether it would notice

\`test/isolation/leaking.test.ts\` mixes up journals, and lets a storage
forget whose a conversation is: each is noticed by the same count. \`npm run isolation -- --seed N --searches N --only DRIVER,SURFACE\` asks
others, fewer, or some of them; with \`RALPH_TEST_QDRANT_URL\` Qdrant itself is asked in place of the one that stands in for it. What is shown from
elsewhere is printed with the command that repeats it.
`
}

function driversTable({ rows, worlds }: IsolationResults): string {
  return markdownTable(
    ['driver', 'people', 'projects', 'places', 'searches', 'own', 'from elsewhere'],
    DRIVERS.flatMap((driver) => {
      const world = worlds.find((one) => one.driver === driver)
      if (!world) return []
      const { teams, people, projects, features } = world.size
      const all = teams * people * projects
      const sizes = [teams * people, all, all * features].map(count)
      const here = rows.filter((row) => row.driver === driver)
      const counts = world.skipped ? [world.skipped, '', ''] : countsOf(here)
      return [[DRIVER_WORDS[driver], ...sizes, ...counts]]
    }),
  )
}

function surfacesTable(rows: readonly IsolationRow[]): string {
  return markdownTable(
    ['surface', 'searches', 'own', 'from elsewhere'],
    SURFACES.map(({ name }) => [name, ...countsOf(rows.filter(({ surface }) => surface === name))]),
  )
}

function countsOf(rows: readonly IsolationRow[]): string[] {
  return [sum(rows, 'searches'), sum(rows, 'own'), sum(rows, 'leaks')].map(count)
}

function sum(rows: readonly IsolationRow[], what: 'searches' | 'own' | 'leaks'): number {
  return rows.reduce((total, row) => total + row[what], 0)
}

function count(many: number): string {
  return many.toLocaleString('en-US')
}
