/** The asynchronous methods of a service, also of its parts; nothing else can wait for the service to be open. */
export type Deferred<Service> = {
  readonly [Key in keyof Service as Service[Key] extends AsynchronousMethod | DeferrablePart
    ? Key
    : never]: Service[Key] extends AsynchronousMethod ? Service[Key] : Deferred<Service[Key]>
}
// biome-ignore lint/suspicious/noExplicitAny: any method will do
type AsynchronousMethod = (...args: any[]) => PromiseLike<unknown> | AsyncIterable<unknown>
// biome-ignore lint/suspicious/noExplicitAny: any method will do
type DeferrablePart = { [key: string]: any } & { call?: never }

/**
 * Stands for a service that takes time to open (a database to connect to): it is opened by the first call of one of
 * its methods. All methods of such a service are asynchronous, so a caller cannot tell the difference.
 */
export function deferred<Service extends object>(open: () => Promise<Service>): Deferred<Service> {
  return path(open, []) as Deferred<Service>
}

function path<Service extends object>(open: () => Promise<Service>, steps: readonly PropertyKey[]): unknown {
  return new Proxy(() => undefined, {
    // `then` must be absent, or `await` would take the stand-in for a promise.
    get: (_, step) => (step === 'then' ? undefined : path(open, [...steps, step])),
    apply: (_, __, args: unknown[]) => {
      const result = open().then((service) => callAt(service, steps, args))
      return Object.assign(result, {
        async *[Symbol.asyncIterator]() {
          yield* (await result) as AsyncIterable<unknown>
        },
      })
    },
  })
}

function callAt(service: object, steps: readonly PropertyKey[], args: unknown[]): unknown {
  const owner = steps.slice(0, -1).reduce((value, step) => Reflect.get(value, step) as object, service)
  const method = Reflect.get(owner, steps.at(-1)!) as (...args: unknown[]) => unknown
  // Not `method.apply`: of a stand-in within a stand-in that is one more step.
  return Reflect.apply(method, owner, args)
}

/** Made by the first call, for all. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Opened by the first call, for all; a failure is not remembered: what was down may be back the next time. */
export function once<Value>(open: () => Promise<Value>): () => Promise<Value> {
  let opening: Promise<Value> | undefined
  return () => {
    opening ??= open().catch((error) => {
      opening = undefined
      throw error
    })
    return opening
  }
}

/** What the work comes to, or undefined when that takes longer: it goes on, and nobody hears how it ends. */
export async function withinTime<Value>(
  work: Promise<Value>,
  milliseconds: number,
): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined)
  })
  work.catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
