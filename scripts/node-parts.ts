import { promisify } from 'node:util'
import type { Plugin } from 'rolldown'

/** Loaded by Node for itself before any program starts. */
const AT_HAND = [
  'node:events',
  'node:fs',
  'node:module',
  'node:path',
  'node:process',
  'node:timers',
  'node:url',
  'node:util',
]

const UTIL = 'globalThis.process.getBuiltinModule("node:util")'

/**
 * Importing a part of Node reads everything that it exports, also what Node makes only when asked for it (the streams of
 * `process`, most of `http`, the comparisons of `util`): a third of a cold start. Taken by name, the rest is left alone.
 * Parts that Node has not loaded by itself are loaded by the first call: `crypto` takes 7 ms, `child_process` 4, `zlib` 2,
 * and most commands call few of them. What `promisify` treats in a way of its own, it treats so when it is called.
 */
export const NODE_PARTS: Plugin = {
  name: 'node-parts',
  renderChunk: (code) =>
    code.replace(
      /^import (?:\* as )?([\w$]+|\{.+\}) from "(node:[^"]+)";$/gm,
      (_, names: string, part: string) => taken(names, part),
    ),
}

function taken(names: string, part: string): string {
  const load = `globalThis.process.getBuiltinModule("${part}")`
  if (!names.startsWith('{')) {
    const whole = AT_HAND.includes(part) ? load : `new Proxy({}, { get: (_, name) => ${load}[name] })`
    return `const ${names} = ${whole};`
  }
  const all = names.slice(1, -1).split(',')
  const pairs = all.map((pair) => pair.trim().split(' as ') as [string, string?])
  const late = pairs.filter(([name]) => !AT_HAND.includes(part) && isPlainFunction(part, name))
  const atOnce = pairs.filter((pair) => !late.includes(pair))
  const kept = `node$${part.slice(5).replace('/', '$')}`
  return [
    ...(atOnce.length > 0
      ? [`const { ${atOnce.map((pair) => pair.join(': ')).join(', ')} } = ${load};`]
      : []),
    ...(late.length > 0 ? [`let ${kept};`] : []),
    ...late.map(([name, as = name]) => {
      const loaded = `(${kept} ??= ${load}).${name}`
      const call = `const ${as} = (...args) => ${loaded}(...args);`
      return promisify.custom in exportOf(part, name)
        ? `${call}\n${as}[Symbol.for("nodejs.util.promisify.custom")] = (...args) => ${UTIL}.promisify(${loaded})(...args);`
        : call
    }),
  ].join('\n')
}

/** Called and nothing else: no class, no value. */
function isPlainFunction(part: string, name: string): boolean {
  return typeof exportOf(part, name) === 'function' && /^[a-z]/.test(name)
}

function exportOf(part: string, name: string): object {
  return (process.getBuiltinModule(part) as Record<string, object>)[name]!
}
