import { Badge } from '../../kit/badge.tsx'

const STATES = {
  waiting: { tone: 'accent', sign: '◌' },
  approved: { tone: 'good', sign: '✓' },
  rejected: { tone: 'bad', sign: '✗' },
} as const

export function GateState({ state }: { state: keyof typeof STATES }) {
  const { tone, sign } = STATES[state]
  return (
    <Badge tone={tone}>
      <span aria-hidden="true">{sign}</span> {state}
    </Badge>
  )
}
