import type { Measured } from '../../../scripts/measured/measured-page.ts'
import { ATTACK_KINDS, HONEST } from '../registry.ts'

/** One case as it ran. */
export interface RanCase {
  /** The name of its file in test/attacks. */
  file: string
  title: string
  /** A case that does not apply on this machine is skipped, and counts for nothing. */
  status: 'passed' | 'failed' | 'skipped'
  /** How many attacks it has tried. */
  tried: number
}

export interface CountedKind {
  kind: string
  cases: number
  tried: number
  /** Cases in which something got through. */
  through: string[]
}

export interface CountedAttacks {
  measured: Measured
  kinds: CountedKind[]
  /** Cases of honest use beside them, that must go on working. */
  honest: number
  skipped: number
}

/** What a run came to, by kind. Throws for a case that is of no kind: it would be counted nowhere. */
export function counted(cases: readonly RanCase[], measured: Measured): CountedAttacks {
  const ran = cases.filter(({ status }) => status !== 'skipped')
  const isHonest = ({ title, status }: RanCase) => HONEST.test(title) && status === 'passed'
  const kinds = new Map(
    ATTACK_KINDS.map(({ kind }) => [kind, { kind, cases: 0, tried: 0, through: [] as string[] }]),
  )
  for (const one of ran.filter((each) => !isHonest(each))) {
    const found = kinds.get(kindOf(one))
    if (!found) throw new Error(`${one.file}: "${one.title}" is of no kind in test/attacks/registry.ts`)
    found.cases++
    found.tried += one.tried
    if (one.status === 'failed') found.through.push(one.title)
  }
  return {
    measured,
    kinds: [...kinds.values()],
    honest: ran.filter(isHonest).length,
    skipped: cases.length - ran.length,
  }
}

function kindOf({ file, title }: RanCase): string {
  const isOf = (one: { file: string; titled?: RegExp }) =>
    one.file === file && (one.titled === undefined || one.titled.test(title))
  return ATTACK_KINDS.find(({ cases }) => cases.some(isOf))?.kind ?? ''
}

export function sumOf({ kinds }: CountedAttacks, of: (kind: CountedKind) => number): number {
  return kinds.reduce((sum, kind) => sum + of(kind), 0)
}
