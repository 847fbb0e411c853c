import { RalphError } from '../errors.ts'
import type { Storage } from '../storage/storage.ts'
import { homeId } from './home.ts'
import { findPerson, homesOf, link, type Person, type PersonRequest, personNamed } from './person.ts'

/** One of those who use the same database. */
export interface TeamMember extends Person {
  isYou: boolean
  /** ISO 8601. */
  since: string
  /** Where they work from. */
  machines: string[]
}

export type PeopleOptions = Omit<PersonRequest, 'storage'> & { storage: () => Promise<Storage> }

/** Who works with this storage: one person with a file, a team with a database. */
export class People {
  readonly #options: PeopleOptions
  #found: Promise<Person> | undefined

  /** @internal */
  constructor(options: PeopleOptions) {
    this.#options = options
  }

  /** Who this is; an error that says both ways out where somebody else has the name. */
  you(): Promise<Person> {
    this.#found ??= this.#request().then(findPerson)
    this.#found.catch(() => {
      this.#found = undefined
    })
    return this.#found
  }

  /** Everybody, in the order in which they came. */
  async all(): Promise<TeamMember[]> {
    const { storage } = await this.#request()
    if (storage.dialect === 'sqlite') return []
    const you = await this.you().catch(() => undefined)
    const rows = await storage.db.selectFrom('people').selectAll().orderBy('made_at').orderBy('id').execute()
    const members: TeamMember[] = []
    for (const { id, name, made_at } of rows) {
      const machines = (await homesOf(storage.db, id)).map(({ machine }) => machine)
      const since = new Date(Number(made_at)).toISOString()
      members.push({ id, name, isYou: id === you?.id, since, machines: [...new Set(machines)] })
    }
    return members
  }

  /** This home folder is of the person who has that name already. */
  async same(): Promise<Person> {
    const { storage, name, homeFile } = await this.#request()
    if (storage.dialect === 'sqlite') return this.you()
    const person = await personNamed(storage.db, name)
    if (!person) return this.you()
    const home = await homeId(homeFile)
    await storage.transaction((db) => link(db, home, person))
    this.#found = undefined
    return this.you()
  }

  /**
   * From now on under this name: whoever works here keeps everything, and whoever could not, since the name was somebody
   * else's, begins under the new one. The settings have to say the same.
   */
  async rename(name: string): Promise<void> {
    const { storage, homeFile } = await this.#request()
    this.#found = undefined
    if (storage.dialect === 'sqlite') return
    const home = await homeId(homeFile)
    const taken = await personNamed(storage.db, name)
    if (taken) {
      const isOwn = (await homesOf(storage.db, taken.id)).some(({ home_id }) => home_id === home)
      if (isOwn) return
      throw new RalphError(
        'conflict',
        `somebody else is called ${JSON.stringify(name)} in this team's database`,
        {
          hint: `Take another name; if that is you on another machine: RALPH_USER=${JSON.stringify(name)} ralph user --same`,
        },
      )
    }
    const you = await this.you().catch((error: unknown) => {
      if (error instanceof RalphError && error.code === 'conflict') return undefined
      throw error
    })
    this.#found = undefined
    if (you) await storage.db.updateTable('people').set({ name }).where('id', '=', you.id).execute()
  }

  async #request(): Promise<PersonRequest> {
    return { ...this.#options, storage: await this.#options.storage() }
  }
}
