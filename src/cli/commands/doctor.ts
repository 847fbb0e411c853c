import type { Command } from 'commander'
import { ralphCommand, withExamples } from '../command.ts'

const MARKS = { ok: ['green', '✓'], warning: ['yellow', '!'], problem: ['red', '✗'] } as const

export function register(doctor: Command): void {
  doctor.option('--fix', 'mend what can be mended without asking')
  withExamples(doctor, 'ralph doctor', 'ralph doctor --fix')
  ralphCommand<{ fix?: boolean }>(doctor, async ({ ralph, options, out }) => {
    const findings = await ralph.health.examine({ fix: options.fix ?? false })
    const ok = findings.every(({ level }) => level !== 'problem')
    out.result({ ok, findings }, () =>
      findings
        .map(({ check, level, detail, list = [], hint, mended }) => {
          const [colour, mark] = MARKS[level]
          const did = mended ? `\n    ${mended}` : ''
          const rest = list
            .slice(1)
            .map((line) => `\n    ${line}`)
            .join('')
          return `${out.style(colour, mark)} ${check}: ${detail}${rest}${did}${hint ? `\n    → ${hint}` : ''}`
        })
        .join('\n'),
    )
    if (!ok) process.exitCode = 1
  })
}
