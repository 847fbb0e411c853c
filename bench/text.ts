/** What cleaning, masking, counting and comparing texts cost: the first call in a new process, then per call. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { compareStatements } from '../src/text/polarity/polarity.ts'
import { redact } from '../src/text/redact.ts'
import { sanitise } from '../src/text/sanitise.ts'
import { loadTokenizer } from '../src/text/tokens.ts'
import { median } from './support/figures.ts'

const source = fileURLToPath(new URL('../src/text/', import.meta.url))
const LINE =
  'The build failed in src/app.ts at line 42 after 13 s: expected token "}" but the password was wrong.\n'
const RECORD = LINE.repeat(20)
const MEGABYTE = LINE.repeat(Math.ceil(1_000_000 / LINE.length))
const ROUNDS = 20

const tokenizer = await loadTokenizer()
const long =
  'The cache of `src/auth.ts` is not rebuilt before the tests run in parallel, because it is locked. '.repeat(
    5,
  )

console.table({
  sanitise: {
    'first call': first('sanitise.ts', "module.sanitise('some text')"),
    '2 kB': await each(() => sanitise(RECORD)),
    '1 MB': await once(() => sanitise(MEGABYTE)),
  },
  'redact, nothing to find': {
    'first call': first('redact.ts', "module.redact('some text')"),
    '2 kB': await each(() => redact(RECORD)),
    '1 MB': await once(() => redact(MEGABYTE)),
  },
  'redact, a secret in it': {
    'first call': first('redact.ts', `module.redact('hf_${'aB'.repeat(17)}')`),
    '2 kB': await each(() => redact(`${RECORD} hf_${'aB'.repeat(17)}`)),
    '1 MB': await once(() => redact(`${MEGABYTE} hf_${'aB'.repeat(17)}`)),
  },
  'count tokens': {
    'first call': first('tokens.ts', "await module.countTokens('some text')"),
    '2 kB': await each(() => tokenizer.count(RECORD)),
    '1 MB': await once(() => tokenizer.count(MEGABYTE)),
  },
  'compare two learnings of 500 characters': {
    'first call': first('polarity/polarity.ts', "module.compareStatements('use a', 'use b')"),
    '2 kB': await each(() => compareStatements(long, `${long} always`)),
  },
})
console.log('milliseconds; the first call includes starting from source, without the bundle')

/** In a process of its own, as a command pays it. */
function first(file: string, call: string): number {
  const code = `const start = performance.now(); const module = await import('${source}${file}'); ${call}; console.log(performance.now() - start)`
  const runs = Array.from({ length: 5 }, () =>
    Number(spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }).stdout),
  )
  return round(median(runs))
}

async function each(work: () => unknown): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < ROUNDS; index++) times.push(await time(work))
  return round(median(times))
}

async function once(work: () => unknown): Promise<number> {
  return round(await time(work))
}

async function time(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100
}
