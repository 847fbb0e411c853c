import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { RalphError } from '../errors.ts'
import type { Notices } from '../notices.ts'
import { adoptStrays, hasStrays, SELF } from '../storage/personal-tables.ts'
import type { Queries, Storage, StorageTransaction } from '../storage/storage.ts'
import type { PersonHomeRow } from '../storage/tables.ts'
import { homeId } from './home.ts'

/** Whose conversations, documents, settings, votes, workers and spend these are. */
export interface Person {
  /** Stays when the name changes; random in a database of a team. */
  id: string
  name: string
}

export interface PersonRequest {
  storage: Storage
  name: string
  /** The file that says which home folder of ours this is. */
  homeFile: string
  notices: Notices
}

/** Key of the notice. */
const ADOPTED = 'people.adopted'

/**
 * Who works with this storage. A file has one person, whatever the name. In a database of a team people are told by their
 * names, and each of their home folders is linked to them: somebody else of the same name is not let in by mistake.
 */
export async function findPerson(request: PersonRequest): Promise<Person> {
  return request.storage.dialect === 'sqlite' ? onlyPerson(request) : memberOfTeam(request)
}

/** Looking writes nothing: neither a file that is not there yet nor a row that says who this is. */
async function onlyPerson({ storage, name }: PersonRequest): Promise<Person> {
  if (await hasStrays(storage.db, SELF, 'all others'))
    await storage.transaction((db) => adoptStrays(db, SELF, 'all others'))
  return { id: SELF, name }
}

async function memberOfTeam({ storage, name, homeFile, notices }: PersonRequest): Promise<Person> {
  const home = await homeId(homeFile)
  const known = await personNamed(storage.db, name)
  if (known && (await isLinked(storage.db, home, known.id))) {
    const first = await firstPerson(storage.db)
    if (first?.id !== known.id || !(await hasStrays(storage.db, known.id, 'nobodys'))) return known
  }
  const { person, adopted } = await storage.transaction(async (db) => {
    const person = await make(db, name)
    const homes = await homesOf(db, person.id)
    // Made just now, by us.
    if (homes.length === 0) await link(db, home, person)
    else if (!homes.some(({ home_id }) => home_id === home)) throw takenName(name, homes)
    const isFirst = (await firstPerson(db))?.id === person.id
    return { person, adopted: isFirst ? await adoptStrays(db, person.id, 'nobodys') : 0 }
  })
  if (adopted > 0) {
    notices.once({
      key: ADOPTED,
      message: `the ${adopted} conversations in this database from before it knew people are now ${name}'s, and private`,
      hint: 'To let everybody see some of them again: ralph conversations share ID…, or --all',
    })
  }
  return person
}

/** The one who has been here longest. */
async function firstPerson(db: Queries): Promise<Person | undefined> {
  return db
    .selectFrom('people')
    .select(['id', 'name'])
    .orderBy('made_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

export async function personNamed(db: Queries, name: string): Promise<Person | undefined> {
  return db.selectFrom('people').select(['id', 'name']).where('name', '=', name).executeTakeFirst()
}

async function isLinked(db: Queries, home: string, person: string): Promise<boolean> {
  const row = await db
    .selectFrom('people_homes')
    .select('home_id')
    .where('home_id', '=', home)
    .where('person_id', '=', person)
    .executeTakeFirst()
  return row !== undefined
}

/** Somebody of that name: whoever is there, also when they come at the same moment. */
async function make(db: StorageTransaction, name: string): Promise<Person> {
  await db
    .insertInto('people')
    .values({ id: randomUUID(), name, made_at: Date.now() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return (await personNamed(db, name))!
}

/** From there they work from now on. */
export async function link(db: StorageTransaction, home: string, { id }: Person): Promise<void> {
  await db
    .insertInto('people_homes')
    .values({ home_id: home, person_id: id, machine: hostname(), linked_at: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function homesOf(db: Queries, person: string): Promise<PersonHomeRow[]> {
  const homes = db.selectFrom('people_homes').selectAll().where('person_id', '=', person)
  return homes.orderBy('linked_at').execute()
}

function takenName(name: string, [first]: readonly PersonHomeRow[]): RalphError {
  const where = first && ` (on ${first.machine}, since ${dayOf(first.linked_at)})`
  return new RalphError(
    'conflict',
    `somebody is called ${JSON.stringify(name)} in this team's database already${where ?? ''}: conversations are off until it is clear who you are`,
    {
      hint: 'If that is you on another machine: ralph user --same. If not, take a name of your own: ralph user NAME',
    },
  )
}

function dayOf(time: number): string {
  return new Date(Number(time)).toISOString().slice(0, 10)
}
