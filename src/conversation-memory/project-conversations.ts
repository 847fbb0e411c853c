import type { Storage } from '../storage/storage.ts'
import { findProjectSessions, type SessionFile } from '../transcripts/claude-code/session-files.ts'
import type { Conversations } from './conversations.ts'
import { unreadFiles } from './import/claude-code.ts'
import type { Conversation } from './record.ts'

export interface ProjectConversationsOptions {
  storage: Storage
  conversations: Conversations
  sessionsDir: string
  /** Its folder: what took place in it or below it is its own. */
  project: string
}

const PAGE = 200

/** The conversations of one project among all of the user's. */
export class ProjectConversations {
  readonly #options: ProjectConversationsOptions

  /** @internal */
  constructor(options: ProjectConversationsOptions) {
    this.#options = options
  }

  /** The latest first. */
  latest(limit: number): Promise<Conversation[]> {
    const { conversations, project } = this.#options
    return conversations.history.list({ within: project, limit })
  }

  async count(): Promise<number> {
    let count = 0
    for await (const page of this.#pages()) count += page.length
    return count
  }

  /** Which of these session files an import would read. */
  unread(files: readonly SessionFile[]): Promise<SessionFile[]> {
    return unreadFiles(this.#options.storage, files)
  }

  /** Removes all of them, and that they were ever read. Claude Code's own files stay. Returns how many it were. */
  async forget(): Promise<number> {
    const { conversations, storage, sessionsDir, project } = this.#options
    const ids: string[] = []
    for await (const page of this.#pages()) ids.push(...page.map(({ id }) => id))
    for (const id of ids) await conversations.forget(id)
    const paths = (await findProjectSessions(sessionsDir, project)).map(({ path }) => path)
    for (let at = 0; at < paths.length; at += PAGE)
      await storage.db
        .deleteFrom('conversation_sources')
        .where('path', 'in', paths.slice(at, at + PAGE))
        .execute()
    return ids.length
  }

  async *#pages(): AsyncGenerator<Conversation[]> {
    const { conversations, project } = this.#options
    for (let after: Conversation | undefined; ; ) {
      const page = await conversations.history.list({ within: project, limit: PAGE, ...(after && { after }) })
      if (page.length > 0) yield page
      if (page.length < PAGE) return
      after = page.at(-1)
    }
  }
}
