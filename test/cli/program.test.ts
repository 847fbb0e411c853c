import { describe, expect, it } from 'vitest'
import { programFor } from '../../src/cli/program.ts'

describe('the program for a command line', () => {
  it.each([
    [['memory', 'search', 'login'], ['memory']],
    [['--json', 'workers'], ['workers']],
    [['receipt'], ['receipts']],
    [['memories'], ['memory']],
    [['tasks', 'list'], ['task']],
  ])('of %j has the command that is named', async (words, names) => {
    const { commands } = await programFor(words)
    expect(commands.map((command) => command.name())).toEqual(names)
  })

  it.each([
    [['memory', 'search', 'x'], 1],
    [['memory', '--project', 'search', 'recent'], 11],
    [['memory', '--help'], 11],
    [['memory', 'serach'], 11],
  ])('of %j has %i commands of the group: a search does without the others', async (words, count) => {
    const [memory] = (await programFor(words)).commands
    expect(memory!.commands).toHaveLength(count)
  })

  it('of an unknown command knows all the others, to suggest one', async () => {
    const { commands } = await programFor(['statsu'])
    expect(commands.map((command) => command.name())).toContain('status')
  })
})
