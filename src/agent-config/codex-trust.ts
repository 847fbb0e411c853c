import { dirname, join } from 'node:path'
import { readOwnFile } from '../files/own-files.ts'
import { EditedFile, type EditResult } from './edited-file.ts'
import type { ProgramPlaces } from './programs/hook-program.ts'
import { removeTable, setTable, tableText, tableValues } from './toml-edit.ts'

type TrustPlace = Pick<ProgramPlaces, 'project' | 'sessionPlaces'>

/** Codex leaves out what a project's own folder says until the project is trusted, and says nothing of it. */
const TRUSTED = { trust_level: 'trusted' }

export function codexSettings({ sessionPlaces }: TrustPlace): string {
  return join(dirname(sessionPlaces.codex), 'config.toml')
}

export function isTrustedByCodex(place: TrustPlace): boolean {
  try {
    const text = readOwnFile(codexSettings(place)).toString('utf8')
    const found = tableValues(text, ['projects', place.project])
    return (found as typeof TRUSTED | undefined)?.trust_level === TRUSTED.trust_level
  } catch {
    return false // no settings yet
  }
}

/** What a person would add to Codex's settings. */
export function codexTrustLines({ project }: TrustPlace): string {
  return setTable('', ['projects', project], TRUSTED).trimEnd()
}

/** Has Codex trust the project. What a person has decided about it stays. */
export function trustWithCodex(place: TrustPlace, home: string): Promise<EditResult> {
  return edited(place, home).edit((text) =>
    tableText(text, ['projects', place.project]) === undefined
      ? setTable(text, ['projects', place.project], TRUSTED)
      : text,
  )
}

/** Takes back what `trustWithCodex` wrote; a trust that others have given stays. */
export function noLongerTrustWithCodex(place: TrustPlace, home: string): Promise<EditResult> {
  const path = ['projects', place.project] as const
  return edited(place, home).undo((text, original) =>
    original !== undefined && tableText(original, path) === undefined ? removeTable(text, path) : text,
  )
}

function edited(place: TrustPlace, home: string): EditedFile {
  const { project } = place
  return new EditedFile({
    path: codexSettings(place),
    project,
    undoDir: join(home, 'undo'),
    part: `trust ${project}`,
  })
}
