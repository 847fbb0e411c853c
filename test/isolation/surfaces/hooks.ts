import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { answerCall } from '../../../src/hooks/answer.ts'
import { serveHelper } from '../../../src/hooks/helper.ts'
import { dismissHelper } from '../../../src/hooks/helper-address.ts'
import type { AskedWorld, Asker } from '../world/world.ts'
import { anyOf, featureScope, personScope } from './scopes.ts'
import type { Scene, Surface } from './surface.ts'

/** Longer than any run. */
const IDLE_MS = 3_600_000

export const hooks: Surface = {
  name: 'hooks',
  asks: 'SessionStart, UserPromptSubmit, PreToolUse, PostToolUse and PostToolUseFailure of a session that belongs to a feature, with the helper that knows conversations at hand',
  elsewhere:
    'another feature than the session’s; others’ conversations, also through a helper that another project started; project knowledge and documents',
  share: 0.01,
  async open(scene) {
    const helpers = await startHelpers(scene.world)
    return {
      async ask() {
        const asker = scene.asker()
        const { event, fields } = someEvent(scene, asker)
        const env = {
          ...{ ...asker.of.env, RALPH_HOME: asker.of.home, RALPH_FEATURE: asker.name },
          PATH: process.env['PATH'],
        }
        // A prompt is answered with conversations once the session has had its briefing.
        const session = randomUUID()
        const told = []
        for (const one of event === 'UserPromptSubmit' ? ['SessionStart', event] : [event])
          told.push(await answerCall({ text: inputOf(one, fields, asker, session) }, env, { caller, env }))
        return {
          asked: `${event} ${JSON.stringify(fields)} in ${JSON.stringify(asker.name)} of ${asker.path}`,
          shown: told,
          may: anyOf(featureScope(asker), personScope(asker)),
        }
      },
      close: () => helpers.close(),
    }
  },
}

const caller = { parent: process.pid, remainingMs: () => 20_000 }

function inputOf(event: string, fields: object, { path }: Asker, session: string): string {
  return JSON.stringify({
    ...{ session_id: session, cwd: path, hook_event_name: event, source: 'startup' },
    ...{ transcript_path: join(path, 'no-such-session.jsonl'), ...fields },
  })
}

export function someEvent({ random, questions }: Scene, { path }: Asker) {
  const command = { tool_name: 'Bash', tool_input: { command: questions.command() } }
  const file = { file_path: join(path, questions.file()) }
  return random.of([
    { event: 'SessionStart', fields: {} },
    { event: 'UserPromptSubmit', fields: { prompt: questions.any() } },
    { event: 'UserPromptSubmit', fields: { prompt: `What do you know about this: ${questions.any()}` } },
    { event: 'PreToolUse', fields: command },
    { event: 'PreToolUse', fields: { tool_name: 'Edit', tool_input: file } },
    { event: 'PreToolUse', fields: { tool_name: 'Read', tool_input: file } },
    { event: 'PostToolUse', fields: { tool_name: 'Read', tool_input: file } },
    { event: 'PostToolUseFailure', fields: { ...command, error: `Exit code 1\n${questions.error()}` } },
  ])
}

/** One for each home folder, as the first project there has started it. */
async function startHelpers(world: AskedWorld) {
  const homes = new Map(world.projects.map((project) => [project.of.home, project]))
  const first = [...homes.keys()].map((home) => world.projects.find(({ of }) => of.home === home)!)
  const running: Promise<void>[] = []
  for (const project of first) running.push(serveHelper(await world.ralph(project), IDLE_MS))
  return {
    async close() {
      for (const { of } of first) dismissHelper(of.home)
      await Promise.all(running)
      return []
    },
  }
}
