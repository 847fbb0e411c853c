import { readFileSync } from 'node:fs'
import { hitAt } from '../grading/measures.ts'
import type { Document, Question, RetrievalSet } from '../shape.ts'
import { putIntoFeatureMemory, type Told } from './feature-records.ts'

type Note = Document & Required<Told>

interface NotesFile {
  notes: Omit<Note, 'text'>[]
  questions: (Question & { kind: 'paraphrase' | 'natural' | 'identifier' | 'unrelated' })[]
}

function load() {
  const file = readFileSync(new URL('../notes.json', import.meta.url), 'utf8')
  const { notes, questions } = JSON.parse(file) as NotesFile
  const documents = notes.map((note) => {
    const { title, summary, errors, decisions, files } = note
    return { ...note, text: [title, summary, ...errors, ...decisions, ...files].join('\n') }
  })
  return [{ documents, questions }]
}

export const notes: RetrievalSet<Note> = {
  name: 'notes',
  title: '72 notes of one project',
  through: 'feature memory: `recordIteration` → `search`',
  about:
    'Our own: iterations in one shop, asked for in words that they do not use (paraphrase), in their own (natural), and by names, error codes and files (identifier).',
  world: 'notes',
  needs: [],
  load,
  put: (ralph, documents) => putIntoFeatureMemory(ralph, documents, (note) => note),
  shownByDefault: 20,
  measures: (['paraphrase', 'natural', 'identifier'] as const).map((kind) =>
    hitAt(1, { name: `${kind} R@1`, kind }),
  ),
}
