import { useRef } from 'preact/hooks'
import { Action } from '../../kit/action.tsx'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { Remembered } from '../../kit/remembered.tsx'
import { useRowKeys } from '../../kit/rows.ts'
import { TroubleBox } from '../../kit/states.tsx'
import { type Examination, type Finding, mend, useExamination } from './examination.ts'
import './doctor.css'

const LEVELS: Record<Finding['level'], { tone: Tone; sign: string; word: string }> = {
  ok: { tone: 'good', sign: '✓', word: 'fine' },
  warning: { tone: 'warn', sign: '!', word: 'could be better' },
  problem: { tone: 'bad', sign: '✗', word: 'problem' },
}

/** Everything memory stands on, looked at one after the other, and mended where that is safe. */
export default function Doctor() {
  const examination = useExamination()
  const { checks, findings, trouble, again, put } = examination
  const list = useRef<HTMLUListElement>(null)
  useRowKeys(list)
  const mendable = [...findings.values()].filter(({ mendable: can }) => can)
  return (
    <>
      <h1>Doctor</h1>
      <Progress examination={examination} />
      {trouble && <TroubleBox trouble={trouble} retry={again} />}
      <div class="actions">
        <button type="button" onClick={again} disabled={findings.size < checks.length && !trouble}>
          Look again
        </button>
        {mendable.length > 1 && (
          <Action
            kind="primary"
            changes={['board', 'settings', 'journals']}
            run={async () => {
              for (const { check } of mendable) put(await mend(check))
            }}
          >
            Mend all {mendable.length}
          </Action>
        )}
      </div>
      <ul class="list" aria-label="What was found" ref={list}>
        {checks.map((check) => (
          <li key={check}>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: j and k move here, as through any other row */}
            <div class="row doctor-row" tabIndex={0}>
              <FindingText check={check} finding={findings.get(check)} put={put} />
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

function Progress({ examination: { checks, findings, current } }: { examination: Examination }) {
  const found = [...findings.values()]
  const count = (level: Finding['level']) => found.filter((finding) => finding.level === level).length
  const done = checks.length > 0 && findings.size === checks.length
  return (
    <div class="doctor-progress" role="status">
      {done ? (
        <p>
          {count('problem') + count('warning') === 0
            ? 'All is well.'
            : `${problemWords(count('problem'))}, ${count('warning')} that could be better, ${count('ok')} fine.`}
        </p>
      ) : (
        <>
          <p>{current === undefined ? 'Looking…' : `Looking at: ${current}`}</p>
          <progress value={findings.size} max={checks.length || 1} aria-label="How far it has come" />
        </>
      )}
    </div>
  )
}

function problemWords(count: number): string {
  return count === 1 ? '1 problem' : `${count} problems`
}

interface FindingProps {
  check: string
  finding: Finding | undefined
  put: (finding: Finding) => void
}

function FindingText({ check, finding, put }: FindingProps) {
  if (!finding) {
    return (
      <>
        <Badge>waits</Badge>
        <span class="doctor-check">{check}</span>
        <span />
      </>
    )
  }
  const { level, detail, means, list, hint, mendable, mended } = finding
  const { tone, sign, word } = LEVELS[level]
  return (
    <>
      <Badge tone={tone}>
        <span aria-hidden="true">{sign}</span> {word}
      </Badge>
      <span class="doctor-check">{check}</span>
      <div>
        {list ? <AllOfIt list={list} /> : <Remembered text={detail} />}
        {mended && (
          <p class="doctor-mended">
            Mended: <Remembered text={mended} />
          </p>
        )}
        {means && level !== 'ok' && <p>{means}</p>}
        {hint && (
          <p class="dim">
            → <Remembered text={hint} />
          </p>
        )}
        {mendable && (
          <Action changes={['board', 'settings', 'journals']} run={async () => put(await mend(check))}>
            Mend
          </Action>
        )}
      </div>
    </>
  )
}

function AllOfIt({ list }: { list: readonly string[] }) {
  return (
    <ul class="doctor-list">
      {list.map((line) => (
        <li key={line}>
          <Remembered text={line} />
        </li>
      ))}
    </ul>
  )
}
