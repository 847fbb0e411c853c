import { saidBy } from '../../support/in-process.ts'
import { spelled } from '../world/names.ts'
import type { Asker } from '../world/world.ts'
import { someId } from './lookup.ts'
import { anyOf, featureScope, knowledgeScope, personScope, projectScope, type Scope } from './scopes.ts'
import type { Scene, Surface } from './surface.ts'

export interface TypedCommand {
  words: readonly string[]
  may: Scope
}

export const commands: Surface = {
  name: 'commands',
  asks: 'the command line: search, show, memory, learnings, feature, task, prompt, receipts, gate, knowledge, conversations, documents, status, as text and as JSON',
  elsewhere:
    'as on the surface that answers: another project, another feature where one is named, another person, another storage',
  share: 0.01,
  async open(scene) {
    return {
      async ask() {
        const asker = scene.asker()
        const { words, may } = someCommand(scene, asker)
        const { path: cwd, of } = asker
        const { stdout, stderr } = await saidBy(words, { cwd, home: of.home, env: of.env })
        return { asked: `ralph ${words.join(' ')} in ${cwd}`, shown: stdout + stderr, may }
      },
    }
  },
}

export function someCommand(scene: Scene, asker: Asker): TypedCommand {
  const { world, random, questions, ids } = scene
  const [own, project, person] = [featureScope(asker), projectScope(asker), personScope(asker)]
  const knowledge = knowledgeScope(world, asker)
  const everything = anyOf(project, person, knowledge)
  const feature = ['--feature', spelled(asker.name, random.below(3))]
  // What begins with a dash is a flag.
  const question = `about ${questions.any()}`
  const of = (may: Scope, ...words: string[]) => ({ words, may })
  const command = random.of([
    of(own, 'memory', 'search', question, ...feature),
    of(own, 'memory', 'recent', ...feature),
    of(own, 'memory', 'files', ...feature),
    of(own, 'memory', 'failures', ...feature),
    of(own, 'memory', 'errors', ...feature),
    of(own, 'memory', 'export', ...feature),
    of(own, 'learnings', 'list', ...feature),
    of(anyOf(own, knowledge), 'prompt', String(asker.feature + 1)),
    of(everything, 'search', question),
    of(own, 'search', question, ...feature),
    of(everything, 'show', someId(scene)),
    of(project, 'feature', 'list'),
    of(project, 'task', 'list'),
    of(anyOf(project, person), 'receipts'),
    of(project, 'gate', 'list'),
    of(project, 'gate', 'show', random.of(ids.gates)),
    of(knowledge, 'knowledge', 'query', question),
    of(knowledge, 'knowledge', 'list'),
    of(person, 'conversations', 'search', question),
    of(person, 'conversations', 'list'),
    of(person, 'conversations', 'clusters'),
    of(person, 'conversations', 'export'),
    of(person, 'conversations', 'show', random.of(ids.conversations)),
    of(person, 'conversations', 'show', `x-${random.of(ids.exchanges)}`),
    of(person, 'search', question, '--type', 'document'),
    of(person, 'documents', 'list'),
    of(everything, 'status'),
  ])
  return random.chance(0.5) ? { ...command, words: [...command.words, '--json'] } : command
}
