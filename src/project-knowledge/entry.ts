import { RalphError } from '../errors.ts'
import { camelKeys, snakeKey, snakeKeys } from '../text/case.ts'
import { preprocess, z } from '../text/schema.ts'
import { optionalText, problemsOf, requiredCutText } from './fields.ts'

export const KNOWLEDGE_KINDS = ['failure_solution', 'gate_rejection', 'gate_approval'] as const
export type KnowledgeKind = (typeof KNOWLEDGE_KINDS)[number]

/** Longest texts that are kept; longer ones are cut with a visible mark. */
export const ENTRY_CAPS = {
  name: 200,
  problem: 2_000,
  error: 4_000,
  solution: 4_000,
  taskDescription: 2_000,
  embeddedProblem: 2_000,
  embeddedSolution: 400,
} as const

/** A list of steps reads as lines. */
const steps = preprocess(
  (value) => (Array.isArray(value) ? value.join('\n') : value),
  requiredCutText(ENTRY_CAPS.solution),
)

/** What every entry has. An empty agent type, task type or technology means: any. */
const common = {
  project: requiredCutText(ENTRY_CAPS.name),
  agentType: optionalText(ENTRY_CAPS.name),
  taskType: optionalText(ENTRY_CAPS.name),
  technology: optionalText(ENTRY_CAPS.name),
}

/** What the work was about, in full: another task like it is where the entry helps. */
const taskDescription = optionalText(ENTRY_CAPS.taskDescription)

const FailureSolution = z.object({
  kind: z.literal('failure_solution'),
  ...common,
  failureDescription: requiredCutText(ENTRY_CAPS.problem),
  taskDescription,
  errorMessage: optionalText(ENTRY_CAPS.error),
  solutionSteps: steps,
  /** Only verified solutions are embedded. Whoever reports one that has not been seen to work says so. */
  successVerified: z._default(z.boolean(), true),
})
const GateRejection = z.object({
  kind: z.literal('gate_rejection'),
  ...common,
  taskTitle: optionalText(ENTRY_CAPS.problem),
  taskDescription,
  gateType: requiredCutText(ENTRY_CAPS.name),
  humanFeedback: requiredCutText(ENTRY_CAPS.problem),
  /** How the work was revised; unknown until it has been. */
  revisionApproach: optionalText(ENTRY_CAPS.solution),
})
const GateApproval = z.object({
  kind: z.literal('gate_approval'),
  ...common,
  taskTitle: optionalText(ENTRY_CAPS.problem),
  taskDescription,
  gateType: requiredCutText(ENTRY_CAPS.name),
  approvedApproach: requiredCutText(ENTRY_CAPS.solution),
})

const SCHEMAS = {
  failure_solution: FailureSolution,
  gate_rejection: GateRejection,
  gate_approval: GateApproval,
} as const

export type FailureSolution = z.infer<typeof FailureSolution>
export type GateRejection = z.infer<typeof GateRejection>
export type GateApproval = z.infer<typeof GateApproval>
/** One thing that was learned, whole and valid. */
export type Knowledge = FailureSolution | GateRejection | GateApproval

type Input<Schema extends z.core.$ZodType> = z.input<Schema>
/** What a caller hands in: fields with a default may be absent, steps may be a list. */
export type NewKnowledge =
  | (Omit<Input<typeof FailureSolution>, 'solutionSteps'> & { solutionSteps: string | readonly string[] })
  | Input<typeof GateRejection>
  | Input<typeof GateApproval>

/** Validates what a caller or a file claims to be knowledge; says which field of which kind is wrong. */
export function parseKnowledge(value: unknown): Knowledge {
  const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : undefined
  if (!isKind(kind)) {
    const problem = kind === undefined ? 'kind is missing' : `unknown kind ${JSON.stringify(kind)}`
    throw new RalphError('invalid_input', `not a knowledge entry: ${problem}`, {
      hint: `The kinds are ${KNOWLEDGE_KINDS.join(', ')}.`,
    })
  }
  const parsed = SCHEMAS[kind].safeParse(value)
  if (parsed.success) return parsed.data
  throw new RalphError('invalid_input', `not a valid ${kind}: ${problemsOf(parsed.error)}`, {
    hint: `A ${kind} needs ${requiredFields(kind).join(', ')}.`,
  })
}

function isKind(value: unknown): value is KnowledgeKind {
  return KNOWLEDGE_KINDS.includes(value as KnowledgeKind)
}

function requiredFields(kind: KnowledgeKind): string[] {
  const { shape } = SCHEMAS[kind]
  return Object.entries(shape)
    .filter(([name, schema]) => name !== 'kind' && !z.safeParse(schema, undefined).success)
    .map(([name]) => snakeKey(name))
}

/** What an entry is filed under; the rest are the fields of its kind. */
type Filing = Pick<Knowledge, 'kind' | 'project' | 'agentType' | 'taskType' | 'technology'>

/** The fields of its kind as JSON text, for the database. */
export function contentOf(knowledge: Knowledge): string {
  const { kind: _, project: __, agentType: ___, taskType: ____, technology: _____, ...fields } = knowledge
  return JSON.stringify(snakeKeys(fields))
}

export function fromContent(filing: Filing, content: string): Knowledge {
  // Entries of earlier versions were kept without their task.
  const absent = { ...(filing.kind !== 'failure_solution' && { taskTitle: '' }), taskDescription: '' }
  return { ...absent, ...(camelKeys(JSON.parse(content)) as object), ...filing } as Knowledge
}
