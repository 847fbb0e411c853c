import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { errnoOf } from '../errors.ts'
import { asString, type JsonObject, parseObject } from '../text/json.ts'
import type { HookCaller } from './context.ts'
import type { HookCalled } from './heard.ts'
import { helperAddress, isPipe, isTrustedAddress, isWarm, warmMarkPath } from './helper-address.ts'

export interface HelperQuestion {
  prompt: string
  /** Conversations that the session knows already, its own among them. */
  excluding: string[]
  /** The session, when it should be told what it is one more about. */
  topicOf?: string | undefined
  /** Where the session's conversations are kept, and a project that knows how to get there. */
  keptIn: string
  project: string
}

/** Empty when nothing is clearly related. */
export interface HelperAnswer {
  text: string
  conversations: { id: string; similarity: number }[]
  /** It says what the session is one more about. */
  tellsTopic?: boolean
}

/** A whole hook, to be answered by a process that has loaded everything. */
export interface HookQuestion {
  hook: HookCalled
  parent: number
  /** By the clock of the machine, in milliseconds. */
  until: number
  env: NodeJS.ProcessEnv
}

/** What a hook's settings are made of: nothing else of the environment is handed on. */
const HANDED_ON = /^(?:RALPH|CLAUDE|CODEX|GEMINI|OPENCODE|QWEN|COPILOT|PI_|CURSOR|XDG_DATA_HOME$)/
/** More is not worth handing over. */
const LONGEST_HOOK = 150_000

/**
 * Loading the code of a hook takes most of its time, and on a busy machine all of it. A helper that is there anyway has it
 * loaded. Undefined when there is none, or it is of another build: then the hook does it itself.
 */
export async function askWarmHelper(
  home: string,
  { hook, caller, env }: { hook: HookCalled; caller: HookCaller; env: NodeJS.ProcessEnv },
): Promise<{ answer: string | undefined } | undefined> {
  if (hook.text.length > LONGEST_HOOK || !isWarm(home)) return undefined
  const handedOn = Object.fromEntries(Object.entries(env).filter(([name]) => HANDED_ON.test(name)))
  const until = Date.now() + caller.remainingMs()
  const question: HookQuestion = { hook, parent: caller.parent, until, env: handedOn }
  const answer = await ask(home, question)
  return answer?.['hook'] === true ? { answer: asString(answer['answer']) } : undefined
}

/** Undefined when no helper runs. The caller's watchdog limits the wait. */
export async function askHelper(home: string, question: HelperQuestion): Promise<HelperAnswer | undefined> {
  const answer = await ask(home, question)
  // Else it was ended in the middle of its answer.
  return Array.isArray(answer?.['conversations']) ? (answer as unknown as HelperAnswer) : undefined
}

function ask(home: string, question: HelperQuestion | HookQuestion): Promise<JsonObject | undefined> {
  const address = helperAddress(home)
  if (!isTrustedAddress(address)) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(address)
    socket.setEncoding('utf8')
    socket.on('connect', () => socket.write(`${JSON.stringify(question)}\n`))
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('end', () => resolve(parseObject(text)))
    socket.on('error', (error) => {
      // The mark of one that was killed would keep the next from being started.
      if (isPipe(address) && errnoOf(error) === 'ENOENT') rmSync(warmMarkPath(home), { force: true })
      resolve(undefined)
    })
  })
}
