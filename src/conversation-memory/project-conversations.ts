import type { Person } from '../identity/person.ts'
import type { Storage } from '../storage/storage.ts'
import { keptSessions, type SessionFile, type SessionPlaces } from '../transcripts/kept-sessions.ts'
import type { Conversations } from './conversations.ts'
import { forgetRead, unreadFiles } from './import/read-before.ts'
import type { Conversation } from './record.ts'

export interface ProjectConversationsOptions {
  storage: Storage
  person: Person
  conversations: Conversations
  sessionPlaces: SessionPlaces
  /** Its folder: what took place in it or below it is its own. */
  project: string
}

const PAGE = 200

/** The conversations of one project among all of the person's own. */
export class ProjectConversations {
  readonly #options: ProjectConversationsOptions

  /** @internal */
  constructor(options: ProjectConversationsOptions) {
    this.#options = options
  }

  /** The latest first. */
  latest(limit: number): Promise<Conversation[]> {
    const { conversations, project } = this.#options
    return conversations.history.list({ within: project, own: true, limit })
  }

  async count(): Promise<number> {
    let count = 0
    for await (const page of this.#pages()) count += page.length
    return count
  }

  /** Which of these sessions an import would read. */
  unread(files: readonly SessionFile[]): Promise<SessionFile[]> {
    const { storage, person } = this.#options
    return unreadFiles(storage, person, files)
  }

  /** Removes all of them, and that they were ever read. The agents' own files stay. Returns how many it were. */
  async forget(): Promise<number> {
    const { conversations, storage, person, sessionPlaces, project } = this.#options
    const ids: string[] = []
    for await (const page of this.#pages()) ids.push(...page.map(({ id }) => id))
    for (const id of ids) await conversations.forget(id)
    const { sessions } = await keptSessions(sessionPlaces, { project })
    await forgetRead(
      storage,
      person,
      sessions.map(({ path }) => path),
    )
    return ids.length
  }

  async *#pages(): AsyncGenerator<Conversation[]> {
    const { conversations, project } = this.#options
    for (let after: Conversation | undefined; ; ) {
      const wanted = { within: project, own: true, limit: PAGE, ...(after && { after }) }
      const page = await conversations.history.list(wanted)
      if (page.length > 0) yield page
      if (page.length < PAGE) return
      after = page.at(-1)
    }
  }
}
