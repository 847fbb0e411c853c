import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { Person } from '../identity/person.ts'
import type { Tables } from '../storage/tables.ts'

/** For a query that has `conversations` in it: mine, or shared by whoever it is from. */
export function mayRead({ id }: Person): Expression<SqlBool> {
  const is = expressionBuilder<Tables, 'conversations'>()
  return is.or([is('conversations.person', '=', id), is('conversations.shared', '=', 1)])
}

export function isOwn({ id }: Person): Expression<SqlBool> {
  return expressionBuilder<Tables, 'conversations'>()('conversations.person', '=', id)
}
