import { existsSync, rmSync } from 'node:fs'
import { errnoOf, fileError } from '../errors.ts'
import { readOwnFile } from './own-files.ts'
import { renameFileNow } from './rename.ts'

type Parse<Value> = (value: unknown) => Value

/** What a file of notes holds; undefined where there is none, or none that can be read: the doctor says so. */
export function keptJson<Value>(file: string, parse: Parse<Value>): Value | undefined {
  try {
    return parsed(readOwnFile(file).toString('utf8'), parse)
  } catch {
    return undefined
  }
}

/** The same for whoever writes it next, under its lock: what is damaged is moved aside first, so that nothing is written over it. */
export function keptJsonToChange<Value>(file: string, parse: Parse<Value>): Value | undefined {
  let text: string
  try {
    text = readOwnFile(file).toString('utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw fileError(error, file, 'reading what is noted there')
  }
  const value = parsed(text, parse)
  if (value === undefined) renameFileNow(file, nameForDamaged(file))
  return value
}

/** Where a damaged file is moved to: beside it, over no other that lies there. */
export function nameForDamaged(file: string): string {
  let number = 1
  while (existsSync(damagedName(file, number))) number++
  return damagedName(file, number)
}

/** Nothing of it is left: not its lock, and nothing that was moved aside. */
export function removeKeptJson(file: string): void {
  for (const one of [file, `${file}.lock`]) rmSync(one, { force: true })
  for (let number = 1; existsSync(damagedName(file, number)); number++) rmSync(damagedName(file, number))
}

function damagedName(file: string, number: number): string {
  return `${file}.damaged${number === 1 ? '' : `-${number}`}`
}

function parsed<Value>(text: string, parse: Parse<Value>): Value | undefined {
  try {
    return parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
