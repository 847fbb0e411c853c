import { Hono } from 'hono'
import { dashboardApi } from '../../../src/dashboard/api/api.ts'
import { answerError } from '../../../src/dashboard/api/errors.ts'
import type { Changes } from '../../../src/dashboard/live/changes.ts'
import { projectChanges } from '../../../src/dashboard/live/project-changes.ts'
import type { Asker, WorldProject } from '../world/world.ts'
import { anyOf, featureScope, knowledgeScope, personScope, projectScope, type Scope } from './scopes.ts'
import type { Scene, Surface } from './surface.ts'

export const dashboard: Surface = {
  name: 'dashboard',
  asks: 'every route of the page’s server that reads: search, features, iterations, errors, files, learnings, gates, receipts, conversations, documents, knowledge, the map, overview, workers, doctor',
  elsewhere:
    'another project than the page’s, for pages of a feature another feature; others’ conversations and documents; knowledge of another storage',
  share: 0.03,
  async open(scene) {
    const opened = new Map<string, { api: Hono; changes: Changes }>()
    const apiOf = async (project: WorldProject) => {
      const known = opened.get(project.path) ?? (await openApi(scene, project))
      opened.set(project.path, known)
      return known.api
    }
    return {
      async ask() {
        const asker = scene.asker()
        const api = await apiOf(asker)
        const { path, may } = someRoute(scene, asker)
        const answer = await api.request(path)
        return { asked: `GET ${path} of ${asker.path}`, shown: await answer.text(), may }
      },
      async close() {
        for (const { changes } of opened.values()) changes.close()
        return []
      },
    }
  },
}

async function openApi({ world }: Scene, project: WorldProject) {
  const ralph = await world.ralph(project, 'page')
  const changes = projectChanges(ralph)
  const api = new Hono().onError(answerError)
  return { api: api.route('/', dashboardApi({ ralph, readOnly: false, changes })), changes }
}

function someRoute({ world, random, questions, ids }: Scene, asker: Asker): { path: string; may: Scope } {
  const of = (path: string, may: Scope) => ({ path, may })
  const asked = (name: string, value: string) => `${name}=${encodeURIComponent(value)}`
  const [project, person] = [projectScope(asker), personScope(asker)]
  const knowledge = knowledgeScope(world, asker)
  const everything = anyOf(project, person, knowledge)
  const feature = `/features/${encodeURIComponent(asker.name)}`
  const own = featureScope(asker)
  // By what it costs: a search over all features takes as long as many of the others.
  const heavy = [
    of(`/search?${asked('query', questions.any())}`, everything),
    of(`/search?${asked('query', questions.any())}&${asked('feature', asker.name)}&limit=50`, own),
    of('/map', everything),
    ...['/overview/waiting', '/overview/work', '/overview/told'].map((path) => of(path, everything)),
  ]
  const light = [
    ...['', '/iterations', '/trend', '/errors', '/files', '/tasks', '/learnings'].map((part) =>
      of(feature + part, own),
    ),
    ...['', '/told', '/left'].map((part) => of(`${feature}/iterations/${1 + random.below(5)}${part}`, own)),
    of('/gates?state=waiting', project),
    of(`/gates/${random.of(ids.gates)}`, project),
    of('/receipts', anyOf(project, person)),
    of(`/receipts/${random.of(ids.receipts)}`, anyOf(project, person)),
    of('/conversations', person),
    of('/conversations/about', person),
    of(`/conversations/search?${asked('query', questions.any())}`, person),
    of(`/conversations/conversation?${asked('id', random.of(ids.conversations))}`, person),
    of(`/conversations/exchange?${asked('id', random.of(ids.exchanges))}`, person),
    of(`/documents/${random.of(ids.pieces)}`, person),
    of(`/knowledge/patterns?${asked('question', questions.any())}`, knowledge),
    ...['/knowledge', '/knowledge/entries', '/knowledge/staged'].map((path) => of(path, knowledge)),
    of(`/knowledge/entries/${random.of(ids.entries)}`, knowledge),
    ...['/workers', '/settings', '/session'].map((path) => of(path, everything)),
  ]
  return random.of(random.chance(0.1) ? heavy : light)
}
