import type { InferResponseType } from 'hono/client'
import type { api } from '../../client.ts'
import { Remembered } from '../../kit/remembered.tsx'

type ShownChange = InferResponseType<(typeof api.gates)[':id']['$get'], 200>['change']
type ChangedFile = ShownChange['files'][number]
type ChangedLine = ChangedFile['hunks'][number]['lines'][number]

/** A file with more lines is closed until somebody opens it. */
const OPEN_UP_TO = 400

const MARKS = {
  '+': { word: 'added', sign: '+', name: 'added' },
  '-': { word: 'removed', sign: '−', name: 'removed' },
  ' ': { word: '', sign: ' ', name: 'same' },
} as const

/** The change file by file, with the numbers of its lines; what was added and removed has a sign beside its colour. */
export function Change(props: { change: ShownChange; isWhole: boolean; setWhole: (whole: boolean) => void }) {
  const { change, isWhole, setWhole } = props
  const { introduction, files, leftOut } = change
  return (
    <section aria-label="Change">
      <h2>The change</h2>
      {introduction && (
        <pre class="introduction">
          <Remembered text={introduction} />
        </pre>
      )}
      {files.length > 0 && (
        <p class="dim">
          {files.length === 1 ? '1 file' : `${files.length} files`}, <Counts files={files} />
        </p>
      )}
      {files.map((file) => (
        <File key={file.path} file={file} />
      ))}
      {files.length === 0 && !introduction && (
        <p class="dim">No change was handed in: the project is not in git, or nothing had changed.</p>
      )}
      {(leftOut.length > 0 || isWhole) && (
        <p class="dim">
          {leftOut.length > 0 && (
            <>
              Left out, since ralph writes them itself: <Remembered text={leftOut.join(', ')} />{' '}
            </>
          )}
          <button type="button" onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Leave out what ralph writes itself' : 'Show them too'}
          </button>
        </p>
      )}
    </section>
  )
}

function Counts({ files }: { files: readonly Pick<ChangedFile, 'added' | 'removed'>[] }) {
  const added = files.reduce((sum, file) => sum + file.added, 0)
  const removed = files.reduce((sum, file) => sum + file.removed, 0)
  return (
    <>
      <span class="plus">+{added}</span>{' '}
      <span class="minus">
        <span class="unseen-label">removed </span>−{removed}
      </span>
    </>
  )
}

function File({ file }: { file: ChangedFile }) {
  const { path, formerly, kind, binary, hunks } = file
  const lines = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0)
  return (
    <details class="file" open={lines <= OPEN_UP_TO}>
      <summary>
        {formerly && (
          <>
            <Remembered text={formerly} />
            {' → '}
          </>
        )}
        <Remembered text={path} /> {kind !== 'changed' && <span class="badge plain">{kind}</span>}{' '}
        <Counts files={[file]} />
      </summary>
      {binary && <p class="dim">Its content is not text.</p>}
      {!binary && lines === 0 && <p class="dim">No line of it changed.</p>}
      {lines > 0 && (
        <table class="diff" aria-label={`Changes of ${path}`}>
          <thead class="unseen-label">
            <tr>
              <th scope="col">Line before</th>
              <th scope="col">Line after</th>
              <th scope="col">Change</th>
              <th scope="col">Text</th>
            </tr>
          </thead>
          {hunks.map((hunk, index) => (
            <tbody key={index}>
              <tr class="place">
                <td colSpan={4}>
                  … <Remembered text={hunk.place} />
                </td>
              </tr>
              {hunk.lines.map((line, at) => (
                <Line key={at} line={line} />
              ))}
            </tbody>
          ))}
        </table>
      )}
    </details>
  )
}

function Line({ line: { mark, before, after, text } }: { line: ChangedLine }) {
  const { word, sign, name } = MARKS[mark]
  return (
    <tr class={name}>
      <td class="at">{before}</td>
      <td class="at">{after}</td>
      <td class="sign">
        <span aria-hidden="true">{sign}</span>
        <span class="unseen-label">{word}</span>
      </td>
      <td class="text">
        <Remembered text={text} />
      </td>
    </tr>
  )
}
