import type { ComponentChildren } from 'preact'

export type Tone = 'good' | 'bad' | 'warn' | 'plain' | 'accent'

export function Badge({
  tone = 'plain',
  title,
  children,
}: {
  tone?: Tone | undefined
  title?: string | undefined
  children: ComponentChildren
}) {
  return (
    <span class={`badge ${tone}`} title={title}>
      {children}
    </span>
  )
}

/** A sign beside the colour: nobody has to tell red from green. Signs that no system replaces by a coloured picture. */
export const OUTCOMES: Record<string, { tone: Tone; sign: string; word: string }> = {
  success: { tone: 'good', sign: '✓', word: 'success' },
  failure: { tone: 'bad', sign: '✗', word: 'failure' },
  partial: { tone: 'warn', sign: '◐', word: 'partial' },
  timeout: { tone: 'warn', sign: '◷', word: 'timeout' },
  rate_limited: { tone: 'plain', sign: '‖', word: 'rate limited' },
}

export function OutcomeBadge({ outcome }: { outcome: string }) {
  const { tone, sign, word } = OUTCOMES[outcome] ?? { tone: 'plain' as const, sign: '·', word: outcome }
  return (
    <Badge tone={tone}>
      <span aria-hidden="true">{sign}</span> {word}
    </Badge>
  )
}
