import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { EditedFile } from '../../agent-config/edited-file.ts'
import { getIn, removeAt, setIn } from '../../text/jsonc-edit.ts'
import { MCP_SERVER_NAME, type ServerLoan, type Servers } from './programs/program.ts'

/** Where a run keeps what it needs to take its servers back, also after a crash. */
export interface LoanPlaces {
  project: string
  /** A folder of the run's own. */
  keptIn: string
}

/** What a run lends, if its program takes servers in no other way. */
export interface Loan {
  of: ServerLoan | undefined
  servers: Servers
  env: NodeJS.ProcessEnv
  places: LoanPlaces
  /** Noted before anything is written: a crash may come at any time. */
  note(names: string[]): Promise<void>
}

/**
 * The servers of a run are in the project's file while it runs, for a program that takes them from nowhere else. Everything
 * else in the file stays; a server that is there under the same name is replaced until then.
 */
export async function whileServersAreLent<Result>(
  { of: loan, servers, env, places, note }: Loan,
  run: () => Promise<Result>,
): Promise<Result> {
  const names = Object.keys(servers)
  if (!loan || names.length === 0) return run()
  await note(names)
  await editedFile(loan, places).edit((text) =>
    Object.entries(servers).reduce(
      (edited, [name, server]) =>
        setIn(edited, [...loan.servers, name], loan.entry(server, name === MCP_SERVER_NAME, env)),
      text,
    ),
  )
  try {
    return await run()
  } finally {
    await takeBackServers(loan, names, places)
  }
}

/** The file is as it was; whatever somebody else has changed in it since stays. Nothing was lent: nothing happens. */
export async function takeBackServers(
  loan: ServerLoan,
  names: readonly string[],
  places: LoanPlaces,
): Promise<void> {
  if (!existsSync(places.keptIn)) return
  await editedFile(loan, places).undo((text, original = '') =>
    names.reduce((edited, name) => {
      const path = [...loan.servers, name]
      const former = getIn(original, path)
      return former === undefined ? removeAt(edited, path) : setIn(edited, path, former)
    }, text),
  )
  await rm(places.keptIn, { recursive: true, force: true })
}

function editedFile({ file }: ServerLoan, { project, keptIn }: LoanPlaces): EditedFile {
  return new EditedFile({ path: join(project, ...file), project, undoDir: keptIn, part: 'loan' })
}
