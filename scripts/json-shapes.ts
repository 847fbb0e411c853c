/** What commands print with --json: which keys there are, of which kind, and which may be absent. */
import { isObject } from '../src/text/json.ts'

/** One value, or what many have in common. */
export interface Shape {
  /** `string`, `number`, `boolean`, `null` */
  plain: Set<string>
  fields?: Map<string, { shape: Shape; times: number }>
  /** How many objects were seen: a field that fewer had may be absent. */
  objects: number
  items?: Shape
  arrays: number
}

/** Objects whose keys are data. */
const MAPS = ['outcomes', 'by_kind', 'handled', 'problems', 'counts']

/** Objects that several commands print: the keys that they stand under, and one of their own that tells them from others. */
const NAMED: readonly { name: string; keys: readonly string[]; has: string }[] = [
  { name: 'Task', keys: ['task', 'tasks'], has: 'acceptance_criteria' },
  { name: 'Feature', keys: ['feature', 'features'], has: 'knowledge_paths' },
  { name: 'Discipline', keys: ['discipline', 'disciplines'], has: 'skills' },
  { name: 'Iteration', keys: ['record', 'iterations'], has: 'files_touched' },
  { name: 'Learning', keys: ['learning', 'learnings'], has: 'hit_count' },
  { name: 'Gate', keys: ['gate', 'gates'], has: 'attempt' },
  { name: 'Receipt', keys: ['receipts'], has: 'items' },
  { name: 'Setting', keys: ['setting', 'settings'], has: 'allowed' },
  { name: 'Worker', keys: ['worker', 'workers'], has: 'totals' },
]

export function emptyShape(): Shape {
  return { plain: new Set(), objects: 0, arrays: 0 }
}

/** Adds what a value shows; what has a name is kept under it instead. */
export function addValue(shape: Shape, value: unknown, named: Map<string, Shape>): void {
  if (Array.isArray(value)) {
    shape.arrays++
    shape.items ??= emptyShape()
    for (const item of value) addValue(shape.items, item, named)
  } else if (isObject(value)) {
    shape.objects++
    shape.fields ??= new Map()
    for (const [key, field] of Object.entries(value)) addField(shape.fields, key, field, named)
  } else shape.plain.add(value === null ? 'null' : typeof value)
}

function addField(
  fields: NonNullable<Shape['fields']>,
  key: string,
  value: unknown,
  named: Map<string, Shape>,
) {
  const field = fields.get(key) ?? { shape: emptyShape(), times: 0 }
  fields.set(key, { ...field, times: field.times + 1 })
  const isList = Array.isArray(value)
  const objects = (isList ? value : [value]).filter(isObject)
  const name = NAMED.find(({ keys, has }) => keys.includes(key) && objects.some((one) => has in one))?.name
  if (name === undefined)
    return MAPS.includes(key) ? addMap(field.shape, value, named) : addValue(field.shape, value, named)
  const shape = named.get(name) ?? emptyShape()
  named.set(name, shape)
  for (const one of objects) addValue(shape, one, named)
  field.shape.plain.add(isList ? `${name}[]` : name)
}

/** Keys that are data are said to be so. */
function addMap(shape: Shape, value: unknown, named: Map<string, Shape>): void {
  const entries = isObject(value) ? Object.values(value).map((one) => ({ '[name]': one })) : [value]
  for (const one of entries) addValue(shape, one, named)
  if (entries.length === 0) shape.plain.add('{}')
}

export function shapeText(shape: Shape, indent = ''): string {
  const kinds = [...shape.plain].filter((kind) => kind !== '{}' || !shape.fields).toSorted()
  if (shape.items && !kinds.some((kind) => kind.endsWith('[]'))) {
    const item = shapeText(shape.items, indent)
    kinds.push(item === '' ? '[]' : / \| /.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`)
  }
  if (shape.fields) kinds.push(objectText(shape, indent))
  return kinds.join(' | ')
}

const LONGEST = 100

function objectText({ fields, objects }: Shape, indent: string): string {
  const inner = `${indent}  `
  const isOptional = (key: string, times: number) => times < objects && key !== '[name]'
  const always = [...fields!].filter(([key, { times }]) => !isOptional(key, times))
  // By name: which of them is met first depends on what a search finds best.
  const optional = [...fields!]
    .filter(([key, { times }]) => isOptional(key, times))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const lines = [
    ...always.map(([key, { shape }]) => `${key}: ${shapeText(shape, inner)}`),
    ...optional.map(([key, { shape }]) => `${key}?: ${shapeText(shape, inner)}`),
  ]
  const flat = lines.length === 0 ? '{}' : `{ ${lines.join('; ')} }`
  if (!flat.includes('\n') && indent.length + flat.length <= LONGEST) return flat
  return `{\n${lines.map((line) => `${inner}${line}`).join('\n')}\n${indent}}`
}

/** Keys that are not spelled as on disk. */
export function misspelled(shape: Shape): string[] {
  const below = [...(shape.fields ?? [])].flatMap(([key, field]) => [
    ...(/^(?:[a-z][a-z0-9]*(?:_[a-z0-9]+)*|\[name\])$/.test(key) ? [] : [key]),
    ...misspelled(field.shape),
  ])
  return [...below, ...(shape.items ? misspelled(shape.items) : [])]
}
