import { letGo } from './patient-fetch.ts'

/**
 * A server that loads a model stops loading it when whoever asked hangs up, so a short patience would find it unloaded
 * for ever. Who has no more time leaves with an error; the request has its own time, and goes on for the sake of the
 * next unless the process ends before. Who does not want it any more stops it.
 */
export function outliving<Result>(
  signal: AbortSignal,
  ownMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const request = new AbortController()
  const end = setTimeout(() => request.abort(new DOMException('late', 'TimeoutError')), ownMs)
  return new Promise<Result>((resolve, reject) => {
    const leave = () => {
      reject(signal.reason)
      if (signal.reason?.name !== 'TimeoutError') return request.abort(signal.reason)
      end.unref()
      letGo(request.signal)
    }
    const done = () => {
      clearTimeout(end)
      signal.removeEventListener('abort', leave)
    }
    if (signal.aborted) {
      done()
      return reject(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    work(request.signal).finally(done).then(resolve, reject)
  })
}
