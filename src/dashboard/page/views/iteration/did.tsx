import { Badge, type Tone } from '../../kit/badge.tsx'
import { featureHref } from '../../kit/memory-address.ts'
import { Remembered } from '../../kit/remembered.tsx'
import type { IterationAccount } from './ask.ts'

const ACTION_TONES: Record<string, Tone> = { created: 'good', deleted: 'bad', modified: 'accent' }
/** What was changed before what was only read. */
const ACTIONS = ['created', 'modified', 'deleted', 'read']

/** Files, checks, errors and decisions. */
export function Did({ feature, record }: { feature: string; record: IterationAccount }) {
  const { filesTouched, checks, errors, decisions, undone = [] } = record
  if (filesTouched.length + checks.length + errors.length + decisions.length + undone.length === 0)
    return <p class="dim">Nothing that left a trace: no file, no check, no error, no decision.</p>
  return (
    <div class="did">
      <Files feature={feature} files={filesTouched} />
      <Checks checks={checks} />
      <Errors feature={feature} errors={errors} />
      <Texts
        title="Decisions"
        texts={decisions.map(({ description, rationale }) =>
          rationale ? `${description}: ${rationale}` : description,
        )}
      />
      <Texts title="Put back after it, since it was not its to change" texts={undone} />
    </div>
  )
}

function Files({ feature, files }: { feature: string; files: IterationAccount['filesTouched'] }) {
  if (files.length === 0) return null
  const sorted = files.toSorted((a, b) => ACTIONS.indexOf(a.action) - ACTIONS.indexOf(b.action))
  return (
    <div>
      <h3>Files</h3>
      <ul class="bare">
        {sorted.map(({ path, action }) => (
          <li key={`${action} ${path}`} class="line">
            <Badge tone={ACTION_TONES[action]}>{action}</Badge>
            <a href={featureHref(feature, { file: path })}>
              <Remembered text={path} />
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Checks({ checks }: { checks: IterationAccount['checks'] }) {
  if (checks.length === 0) return null
  return (
    <div>
      <h3>Commands and checks, as each came out last</h3>
      <ul class="bare">
        {checks.map(({ command, kind, result, signatures, skipped, outputCut }, at) => (
          <li key={at}>
            <span class="line">
              <Badge tone={result === 'passed' ? 'good' : 'bad'}>
                {result === 'passed' ? '✓ passed' : '✗ failed'}
              </Badge>
              <code>
                <Remembered text={command} />
              </code>
              <span class="dim">
                {[
                  kind,
                  ...(skipped ? [`${skipped} skipped`] : []),
                  ...(outputCut ? ['not all of its output was seen'] : []),
                ].join(' · ')}
              </span>
            </span>
            {signatures.slice(0, 5).map((signature) => (
              <span key={signature} class="said dim">
                <Remembered text={signature} />
              </span>
            ))}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Errors({ feature, errors }: { feature: string; errors: IterationAccount['errors'] }) {
  if (errors.length === 0) return null
  return (
    <div>
      <h3>Errors it met</h3>
      <ul class="bare">
        {errors.map(({ message, type, filePath, line, command }, at) => (
          <li key={at}>
            <pre class="message">
              <Remembered text={message} />
            </pre>
            <span class="dim line">
              {type && <span>{type}</span>}
              {filePath && (
                <a href={featureHref(feature, { file: filePath })}>
                  <Remembered text={`${filePath}${line ? `:${line}` : ''}`} />
                </a>
              )}
              {command && (
                <code>
                  <Remembered text={command} />
                </code>
              )}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Texts({ title, texts }: { title: string; texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {texts.map((text, at) => (
          <li key={at}>
            <Remembered text={text} />
          </li>
        ))}
      </ul>
    </div>
  )
}
