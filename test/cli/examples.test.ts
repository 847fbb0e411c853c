import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { examplesOf } from '../../src/cli/examples.ts'
import { wholeProgram } from '../../src/cli/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const program = await wholeProgram()

function below(command: Command, path: readonly string[] = []): { name: string; command: Command }[] {
  return command.commands.flatMap((child) => {
    const names = [...path, child.name()]
    return [{ name: names.join(' '), command: child }, ...below(child, names)]
  })
}

/** The words of an example as a shell would hand them over, up to where its output goes. */
function wordsOf(line: string): string[] {
  const call = line.slice(line.lastIndexOf('ralph ')).split(/ (?:\||>>?) /)[0]!
  return [...call.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].slice(1).map(([, a, b, c]) => a ?? b ?? c!)
}

const all = below(program)

it('stand in the help of every group and every command', () => {
  expect(all.length).toBeGreaterThan(100)
  expect(all.filter(({ command }) => examplesOf(command).length === 0).map(({ name }) => name)).toEqual([])
})

it('are calls of the command that they stand with, and are understood', async () => {
  const folder = await temporaryFolder()
  const called: string[] = []
  for (const { name, command } of all) {
    if (command.commands.length === 0 || name === 'mcp') command.action(() => void called.push(name))
  }
  const before = process.cwd()
  process.chdir(folder)
  try {
    for (const { name, command } of all) {
      for (const line of examplesOf(command)) {
        const words = wordsOf(line)
        for (const word of words.filter((one) => one.startsWith('@'))) touch(join(folder, word.slice(1)))
        called.length = 0
        await program.parseAsync(words, { from: 'user' })
        expect(called[0], line).toMatch(new RegExp(`^${name}( |$)`))
      }
    }
  } finally {
    process.chdir(before)
  }
})

function touch(path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'text')
}
