import { expect, it } from 'vitest'
import { differingAgents } from '../../src/transcripts/agents.ts'

it('says whose things are only where that is not always the same', () => {
  expect(differingAgents(['codex', undefined, 'codex'])).toEqual([undefined, undefined, undefined])
  expect(differingAgents(['codex', undefined, 'my-agent'])).toEqual(['Codex CLI', undefined, 'my-agent'])
  expect(differingAgents([])).toEqual([])
})
