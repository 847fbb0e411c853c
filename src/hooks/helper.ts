import { chmodSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { contextSection } from '../conversation-memory/retrieve/context.ts'
import { writeDisposableFile } from '../files/atomic-write.ts'
import { makePrivateFolder } from '../files/private-folder.ts'
import { openRalph, type Ralph } from '../ralph.ts'
import { tokensAtMost } from '../text/token-bound.ts'
import { answerCall, loadSteps } from './answer.ts'
import type { HelperAnswer, HelperQuestion, HookQuestion } from './ask-helper.ts'
import { hasConversations } from './has-conversations.ts'
import { buildMark, helperAddress, isKnownAddress, isPipe, warmMarkPath } from './helper-address.ts'
import { keptIn } from './kept-in.ts'

/** Nobody has asked for this long: nobody is at work. */
const IDLE_MS = 20 * 60_000
const LONGEST_QUESTION = 200_000
const ADDRESS_CHECK_MS = 2_000
const MOST_CONVERSATIONS = 2
const MOST_TOKENS = 1_200
const FIRST = { prompt: 'what did we do', excluding: [] }
const NOTHING: HelperAnswer = { text: '', conversations: [] }

/**
 * A process that keeps the code of hooks and the embedder loaded while somebody works with an agent. Finding related conversations takes
 * some milliseconds then; a hook that loaded everything itself would be late every time. Returns when nobody asks any
 * more, or at once when another helper serves already.
 */
export async function serveHelper(ralph: Ralph, idleMs = IDLE_MS): Promise<void> {
  const address = helperAddress(ralph.config.home)
  const build = buildMark()
  const server = await listen(address)
  if (!server) return
  const memories = new Memories(ralph)
  const warm = warmMarkPath(ralph.config.home)
  rmSync(warm, { force: true }) // of one that was killed
  const done = new Promise<void>((resolve) => {
    let idle = setTimeout(() => server.close(), idleMs)
    // Without its address nobody finds it: another helper has taken over, or the user's folder is gone.
    const { home } = ralph.config
    const watch = setInterval(() => isKnownAddress(address, home) || server.close(), ADDRESS_CHECK_MS)
    server.on('close', () => {
      rmSync(warm, { force: true })
      clearTimeout(idle)
      clearInterval(watch)
      resolve()
    })
    server.on('connection', (socket) => {
      clearTimeout(idle)
      idle = setTimeout(() => server.close(), idleMs)
      serve(memories, socket)
    })
    process.once('SIGTERM', () => server.close())
    process.once('SIGINT', () => server.close())
  })
  // The first question should not wait for code or the model to load; without conversations nobody asks for the latter.
  await loadSteps()
  if (hasConversations(ralph.config)) await relatedTo(ralph, FIRST).catch(() => undefined)
  if (server.listening) writeDisposableFile(warm, build)
  await done
  await memories.close()
}

/** What the projects of this home folder remember of conversations: mostly in one database, which the helper was started with. */
class Memories {
  readonly #first: Ralph
  readonly #others = new Map<string, Promise<Ralph>>()

  constructor(first: Ralph) {
    this.#first = first
  }

  /** Undefined where the project's settings lead to another place than the one who asks has in mind. */
  async of({
    keptIn: wanted,
    project,
  }: Pick<HelperQuestion, 'keptIn' | 'project'>): Promise<Ralph | undefined> {
    if (wanted === keptIn(this.#first.config)) return this.#first
    const opened = this.#others.get(wanted) ?? this.#open(project)
    this.#others.set(wanted, opened)
    opened.catch(() => this.#others.delete(wanted))
    const other = await opened
    return wanted === keptIn(other.config) ? other : undefined
  }

  #open(project: string): Promise<Ralph> {
    const { home } = this.#first.config
    return openRalph({ project: String(project), home, onNotice: () => undefined })
  }

  async close(): Promise<void> {
    for (const opened of this.#others.values()) await (await opened.catch(() => undefined))?.close()
  }
}

function serve(memories: Memories, socket: Socket): void {
  let text = ''
  socket.setEncoding('utf8')
  socket.on('error', () => undefined) // the hook has given up waiting
  socket.on('data', async (chunk) => {
    text += chunk
    if (text.length > LONGEST_QUESTION) socket.destroy()
    const end = text.indexOf('\n')
    if (end < 0) return
    const answer = await answerLine(memories, text.slice(0, end)).catch(() => NOTHING)
    socket.end(JSON.stringify(answer))
  })
}

async function answerLine(memories: Memories, line: string): Promise<object> {
  const question: HelperQuestion | HookQuestion = JSON.parse(line)
  if (!('hook' in question)) {
    const ralph = await memories.of(question)
    return ralph ? relatedTo(ralph, question) : NOTHING
  }
  const { hook, parent, until, env } = question
  const caller = { parent, remainingMs: () => until - Date.now() }
  return { hook: true, answer: await answerCall(hook, env, { caller, env }) }
}

async function relatedTo(
  ralph: Ralph,
  { prompt, excluding, topicOf }: Pick<HelperQuestion, 'prompt' | 'excluding' | 'topicOf'>,
): Promise<HelperAnswer> {
  const found = await ralph.conversations.contextFor(String(prompt), {
    ...{ excluding, topicOf, limit: MOST_CONVERSATIONS },
  })
  for (let most = MOST_CONVERSATIONS; found && most > 0; most--) {
    const conversations = found.retrieval.conversations.slice(0, most)
    const text = contextSection({ conversations }, { tools: false, topic: found.topic }) ?? ''
    if (tokensAtMost(text) > MOST_TOKENS) continue
    return {
      text,
      conversations: conversations.map(({ conversation, similarity }) => ({
        id: conversation.id,
        similarity,
      })),
      tellsTopic: found.topic !== undefined,
    }
  }
  return NOTHING
}

/** Undefined when somebody else listens there. A socket that was left behind by a crash is taken over. */
async function listen(address: string): Promise<Server | undefined> {
  const pipe = isPipe(address)
  if (!pipe) makePrivateFolder(dirname(address))
  else if (await isAnswered(address)) return undefined // not every Windows keeps a second one from the same name
  for (const lastTry of [false, true]) {
    const server = createServer()
    const outcome = await new Promise<string>((resolve) => {
      server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'failed'))
      server.listen(address, () => resolve('listening'))
    })
    if (outcome === 'listening') {
      if (!pipe) chmodSync(address, 0o600)
      return server
    }
    if (lastTry || pipe || (await isAnswered(address))) return undefined
    rmSync(address, { force: true })
  }
  return undefined
}

function isAnswered(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
