import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { runRalph } from '../../support/ralph.ts'
import type { Asker } from '../world/world.ts'
import { someCommand } from './commands.ts'
import { someEvent } from './hooks.ts'
import { anyOf, featureScope, personScope } from './scopes.ts'
import type { Scene, Surface } from './surface.ts'

export const processes: Surface = {
  name: 'processes',
  asks: 'the built command as a process of its own: commands as above, and `ralph hook` with its input on standard input',
  elsewhere: 'as for commands and hooks',
  share: 0.001,
  async open(scene) {
    return { ask: () => (scene.random.chance(0.5) ? command(scene) : hook(scene)) }
  },
}

async function command(scene: Scene) {
  const asker = scene.asker()
  const { words, may } = someCommand(scene, asker)
  const { path: cwd, of } = asker
  const { stdout, stderr } = await runRalph(words, { cwd, home: of.home, env: of.env })
  return { asked: `ralph ${words.join(' ')} in ${cwd}`, shown: stdout + stderr, may }
}

async function hook(scene: Scene) {
  const asker = scene.asker()
  const { event, fields } = someEvent(scene, asker)
  return {
    asked: `ralph hook ${event} ${JSON.stringify(fields)} in ${asker.path}`,
    shown: await hookProcess(asker, event, fields),
    may: anyOf(featureScope(asker), personScope(asker)),
  }
}

async function hookProcess({ path: cwd, of, name }: Asker, event: string, fields: object): Promise<string> {
  const env = { ...of.env, RALPH_FEATURE: name, RALPH_HOOK_DEADLINE_MS: '20000' }
  const input = JSON.stringify({
    ...{ session_id: randomUUID(), cwd, hook_event_name: event, source: 'startup' },
    ...{ transcript_path: join(cwd, 'no-such-session.jsonl'), ...fields },
  })
  const { stdout } = await runRalph(['hook', event], { cwd, home: of.home, env, input })
  return stdout
}
