import { describeStorage } from '../contracts/storage.ts'
import { namedPostgresTarget, postgresTarget, sqliteTarget } from './targets.ts'

describeStorage('SQLite', sqliteTarget)
describeStorage('PostgreSQL', postgresTarget)

const named = process.env.RALPH_TEST_POSTGRES_URL
if (named) describeStorage('the PostgreSQL of RALPH_TEST_POSTGRES_URL', namedPostgresTarget(named))
