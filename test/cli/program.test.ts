import { describe, expect, it } from 'vitest'
import { programFor, wholeProgram } from '../../src/cli/program.ts'

describe('the program for a command line', () => {
  it('says of every command what the command itself says', async () => {
    expect((await programFor([])).helpInformation()).toBe((await wholeProgram()).helpInformation())
  })

  it.each([
    [['memory', 'search', 'login'], ['memory']],
    [['help', 'memory'], ['memory']],
    [['--json', 'workers'], ['workers']],
  ])('of %j has the command that is named', async (words, names) => {
    const { commands } = await programFor(words)
    expect(commands.map((command) => command.name())).toEqual(names)
    expect(commands[0]!.commands.length).toBeGreaterThan(1)
  })

  it('of an unknown command knows all the others, to suggest one', async () => {
    const { commands } = await programFor(['statsu'])
    expect(commands.map((command) => command.name())).toContain('status')
  })
})
