import { readFileSync } from 'node:fs'
import { hitAt } from '../grading/measures.ts'
import type { Collection, Document, Question, RetrievalSet } from '../shape.ts'
import { putIntoFeatureMemory, type Told } from './feature-records.ts'

type Note = Document & Required<Told>

interface NotesFile {
  notes: Omit<Note, 'text'>[]
  questions: (Question & { kind: 'paraphrase' | 'natural' | 'identifier' | 'unrelated' })[]
}

/** Weights may be chosen on the questions to these, and not on those to the others. */
const CHOSEN_ON = ['compiler', 'ledger', 'clinic', 'pipeline']
const NOT_LOOKED_AT = ['editor', 'engine', 'firmware', 'cluster']

function notesOf(project: string): Collection<Note> {
  const file = readFileSync(new URL(`../notes/${project}.json`, import.meta.url), 'utf8')
  const { notes, questions } = JSON.parse(file) as NotesFile
  const documents = notes.map((note) => {
    const { title, summary, errors, decisions, files } = note
    return { ...note, text: [title, summary, ...errors, ...decisions, ...files].join('\n') }
  })
  return { documents, questions }
}

const ours = {
  through: 'feature memory: `recordIteration` → `search`',
  world: 'notes',
  needs: [],
  put: (ralph, documents) => putIntoFeatureMemory(ralph, documents, (note) => note),
  shownByDefault: 20,
  measures: (['paraphrase', 'natural', 'identifier'] as const).map((kind) =>
    hitAt(1, { name: `${kind} R@1`, kind }),
  ),
} satisfies Partial<RetrievalSet<Note>>

export const notes: RetrievalSet<Note> = {
  ...ours,
  name: 'notes',
  title: '72 notes of one project',
  about:
    'Our own: iterations in one shop, asked for in words that they do not use (paraphrase), in their own (natural), and by names, error codes and files (identifier).',
  load: () => [notesOf('shop')],
}

export const projects: RetrievalSet<Note> = {
  ...ours,
  name: 'projects',
  title: '400 notes of eight projects, each by itself',
  about:
    'Our own, too, and harder: fifty iterations in each of a compiler, a ledger, an editor, firmware and others, with neighbours that are easily confused. Paraphrases share no content word with their note; unrelated questions are mostly about other matters of the very same project. Four projects are for choosing, the other four for reporting.',
  measures: [...ours.measures, hitAt(5, { name: 'paraphrase hit@5', kind: 'paraphrase' })],
  load: () => [
    ...CHOSEN_ON.map((name) => ({ ...notesOf(name), half: 'choosing' as const })),
    ...NOT_LOOKED_AT.map((name) => ({ ...notesOf(name), half: 'reporting' as const })),
  ],
}
