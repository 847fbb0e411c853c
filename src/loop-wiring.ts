import { mcpConfigFor } from './agent-config/mcp-config.ts'
import type { Board } from './board/board.ts'
import type { McpServer } from './board/discipline.ts'
import { type Config, projectDemands } from './config.ts'
import type { Deferred } from './deferred.ts'
import type { FeatureMemory } from './feature-memory/feature-memory.ts'
import type { Health } from './health/health.ts'
import { ragLine, ragNotices } from './health/status.ts'
import { costOf, priceOf, priceTable, runPrices } from './language-model/prices.ts'
import type { Learnings } from './learnings/store.ts'
import { AgentLoop } from './loop/agent-loop.ts'
import { loopKnowledge } from './loop/knowledge.ts'
import type { Notices } from './notices.ts'
import type { ProjectKnowledge } from './project-knowledge/project-knowledge.ts'
import { WaitingIterations } from './project-knowledge/waiting-iterations.ts'
import type { ReceiptLog } from './receipts/log.ts'
import { TrustStore } from './trust/trust-store.ts'

interface LoopWiring {
  config: Config
  env: NodeJS.ProcessEnv
  notices: Notices
  board: Board
  featureMemory: FeatureMemory
  learnings: Deferred<Learnings>
  knowledge: Deferred<ProjectKnowledge>
  receipts: ReceiptLog
  health: Deferred<Health>
}

/** The loop with all that it stands on. */
export function wireLoop({ config, env, notices, board, ...memories }: LoopWiring): AgentLoop {
  const { project, userHome, paths, settings } = config
  const ownPrices = priceTable(settings.languageModel.prices)
  return new AgentLoop({
    project,
    board,
    featureMemory: memories.featureMemory,
    learnings: memories.learnings,
    knowledge: loopKnowledge(memories.knowledge, { project, board, gate: settings.loop.gate }),
    waiting: new WaitingIterations(config),
    receipts: memories.receipts,
    notices,
    settings: {
      file: paths.projectFile,
      demands: () => projectDemands(config),
      isTrusted: new TrustStore({ file: paths.trust, project }).isTrusted,
    },
    cacheDir: paths.cache,
    sessionPlaces: config.sessionPlaces,
    env,
    mcpServer: (feature, run, rights) =>
      mcpConfigFor({ client: 'claude-code', project, userHome, feature, run, ...rights }).entry as McpServer,
    ragStatus: async () => {
      const status = await memories.health.rag()
      // The loop shows the line; the same trouble met a moment later is no news.
      for (const notice of ragNotices(status)) notices.alreadySaid(notice)
      return { available: status.available, searchable: status.indexOk, line: ragLine(status) }
    },
    prices: (model, tokens) => {
      const price = priceOf(model, ownPrices)
      return price && costOf(price, tokens)
    },
    runPrices: runPrices(settings.languageModel.prices),
  })
}
