import { globSync, readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { wholeProgram } from '../src/cli/program.ts'

describe('examples for running ralph', () => {
  it('offer services to this machine only', () => {
    const { services } = parse(readFileSync('examples/compose.yaml', 'utf8')) as {
      services: Record<string, { ports: string[]; image: string }>
    }
    expect(Object.keys(services)).toEqual(['qdrant', 'postgres', 'ollama'])
    for (const { ports, image } of Object.values(services)) {
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/)
      expect(image).toMatch(/:\S*\d/)
    }
  })

  it('call commands that exist', async () => {
    const program = await wholeProgram()
    const units = globSync('examples/systemd/*.service').map((path) => readFileSync(path, 'utf8'))
    const calls = units.map((unit) => /^ExecStart=\/usr\/bin\/env ralph (.+)$/m.exec(unit)?.[1]?.split(' '))
    expect(calls).toHaveLength(3)
    for (const words of calls) {
      let command: Command | undefined = program
      for (const word of words!) command = command?.commands.find((one) => one.name() === word)
      expect(command, words!.join(' ')).toBeDefined()
    }
  })

  it('have a service for every timer', () => {
    const timers = globSync('examples/systemd/*.timer')
    expect(timers.length).toBeGreaterThan(0)
    for (const timer of timers) expect(globSync(timer.replace('.timer', '.service'))).toHaveLength(1)
  })
})
