import { dollars, shortNumber } from '../../charts/numbers.ts'
import { OutcomeBadge } from '../../kit/badge.tsx'
import { durationWords } from '../../kit/duration.ts'
import { Remembered } from '../../kit/remembered.tsx'
import { Time } from '../../kit/time.tsx'
import type { IterationLine } from './ask.ts'

/** One iteration in a list; `agent` where they are not all the same one's. */
export function IterationFacts({ line, agent }: { line: IterationLine; agent: string | undefined }) {
  const { iterationNumber, kind, taskId, taskTitle, outcome, timestamp, summary, remark, withoutMemory } =
    line
  return (
    <>
      <span class="line">
        <OutcomeBadge outcome={outcome} />
        <strong>
          {iterationNumber} · <Remembered text={taskTitle} />
        </strong>
        <span class="dim">{kind === 'task' ? `task ${taskId}` : kind}</span>
        {agent && (
          <span class="dim">
            <Remembered text={agent} />
          </span>
        )}
        <span class="end dim">
          <Time at={timestamp} />
        </span>
      </span>
      <span class="said">
        <Remembered text={summary} />
      </span>
      <span class="dim line">
        {amounts(line).map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
        {remark && (
          <span>
            <Remembered text={remark} />
          </span>
        )}
        {withoutMemory && <span>{withoutMemory}</span>}
      </span>
    </>
  )
}

function amounts(line: IterationLine): string[] {
  const { changedFiles, errors, failedChecks, passedChecks, costUsd, tokensUsed, durationMs } = line
  const counted = (count: number, name: string) =>
    count > 0 ? [`${count} ${name}${count > 1 ? 's' : ''}`] : []
  return [
    ...counted(changedFiles, 'file'),
    ...counted(errors, 'error'),
    ...(failedChecks + passedChecks > 0 ? [`checks ✓ ${passedChecks} ✗ ${failedChecks}`] : []),
    ...(costUsd === undefined ? [] : [dollars(costUsd)]),
    ...(tokensUsed === undefined ? [] : [`${shortNumber(tokensUsed)} tokens`]),
    ...(durationMs === undefined ? [] : [durationWords(durationMs)]),
  ]
}
