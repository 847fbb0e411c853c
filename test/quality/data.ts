import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Public data lies beside the repository; nothing of it is copied here. */
const DATA = resolve(import.meta.dirname, '../../../shared/data')

export function readData(file: string): string {
  return readFileSync(join(DATA, file), 'utf8')
}

export function readLines<Row>(file: string): Row[] {
  return readData(file)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
}

/** Why a set cannot be measured here, or undefined. */
export function missing(files: readonly string[]): string | undefined {
  const absent = files.filter((file) => !existsSync(join(DATA, file)))
  return absent.length === 0 ? undefined : `no ${absent.join(', ')} in ../shared/data beside the repository`
}

/** A line of `documents.jsonl`, and of `queries.jsonl`. */
export interface DocumentLine {
  id: string
  text: string
}
export interface QuestionLine {
  text: string
  relevant: string[]
}
