import type { Command } from 'commander'
import type { DoctorFinding } from '../../health/health.ts'
import { openRalph } from '../../ralph.ts'
import { plural } from '../../text/plural.ts'
import { ralphCommand, withExamples } from '../command.ts'
import type { Output } from '../output.ts'

const MARKS = { ok: ['green', '✓'], warning: ['yellow', '!'], problem: ['red', '✗'] } as const

export function register(doctor: Command): void {
  doctor.option('--fix', 'mend what can be mended without asking')
  withExamples(doctor, 'ralph doctor', 'ralph doctor --fix')
  ralphCommand<{ fix?: boolean }>(
    doctor,
    async ({ ralph, options, out }) => {
      const findings = await ralph.health.examine({ fix: options.fix ?? false })
      const ok = findings.every(({ level }) => level !== 'problem')
      out.result({ ok, findings }, () =>
        [...findings.map((finding) => findingText(out, finding)), '', conclusion(findings)].join('\n'),
      )
      if (!ok) process.exitCode = 1
    },
    // What is wrong with the settings is one finding among others.
    { open: (request) => openRalph({ ...request, leaveOutBroken: true }) },
  )
}

function findingText(
  out: Output,
  { check, level, detail, means, list = [], hint, mended }: DoctorFinding,
): string {
  const [colour, mark] = MARKS[level]
  const more = [
    ...list.slice(1),
    ...(mended ? [`${out.style('green', 'mended:')} ${mended}`] : []),
    ...(means && level !== 'ok' ? [means] : []),
    ...(hint ? [`→ ${hint}`] : []),
  ]
  return [`${out.style(colour, mark)} ${out.style('bold', check)}: ${detail}`, ...more].join('\n    ')
}

/** What is left to do, in one sentence. */
function conclusion(findings: readonly DoctorFinding[]): string {
  const count = (level: DoctorFinding['level']) => findings.filter((one) => one.level === level).length
  const [problems, warnings] = [count('problem'), count('warning')]
  const mended = findings.filter((one) => one.mended !== undefined).length
  const found = [
    ...(mended > 0 ? [`${plural(mended, 'thing')} mended`] : []),
    ...(problems > 0 ? [plural(problems, 'problem')] : []),
    ...(warnings > 0 ? [plural(warnings, 'warning')] : []),
  ]
  const mendable = findings.filter((one) => one.mendable && one.level !== 'ok').length
  if (found.length === 0) {
    const pending = findings.some((one) => one.mendable)
    return `All is well.${pending ? ' ralph doctor --fix does now what the next command would do.' : ''}`
  }
  const isLeft = problems + warnings > 0
  const next =
    mendable > 0
      ? ` ralph doctor --fix mends ${mendable} of them.`
      : ' What is left takes a person: each says how.'
  return `${found.join(', ')}.${isLeft ? next : ''}`
}
