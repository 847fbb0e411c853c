import type { ComponentChildren } from 'preact'
import type { Trouble } from '../client.ts'
import type { Loaded } from './data.ts'

/** Nothing here yet, and the command that changes that. */
export function Empty({ children, command }: { children: ComponentChildren; command?: string | undefined }) {
  return (
    <div class="empty">
      <p>{children}</p>
      {command && <code class="command">{command}</code>}
    </div>
  )
}

export function TroubleBox({ trouble, retry }: { trouble: Trouble; retry?: (() => void) | undefined }) {
  return (
    <div class="trouble" role="alert">
      <p>
        <strong>{trouble.message}</strong>
      </p>
      {trouble.hint && <p>{trouble.hint}</p>}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** What a view is while it loads, when it failed, and when it is there. Old data stays in sight below the trouble. */
export function Shown<Data>({
  loaded,
  heading,
  children,
}: {
  loaded: Loaded<Data>
  /** What a whole view is called until its data says so. */
  heading?: string | undefined
  children: (data: Data) => ComponentChildren
}) {
  const { data, trouble, loading, reload } = loaded
  return (
    <>
      {heading && data === undefined && <h1>{heading}</h1>}
      {trouble && <TroubleBox trouble={trouble} retry={reload} />}
      {loading && (
        <p class="loading" role="status">
          Loading…
        </p>
      )}
      {data !== undefined && children(data)}
    </>
  )
}
