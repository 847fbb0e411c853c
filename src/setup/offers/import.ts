import { existsSync } from 'node:fs'
import type { ImportReport } from '../../conversation-memory/import/report.ts'
import { isRalphError } from '../../errors.ts'
import type { Ralph } from '../../ralph.ts'
import { plural } from '../../text/plural.ts'
import { agentLabel } from '../../transcripts/agents.ts'
import type { Surroundings } from '../surroundings.ts'
import type { Accepted, SetupOffer, Watched } from './offer.ts'

/** By then whoever waits wants to go on; the rest follows when conversations are next used. */
const MEANING_WITHIN_MS = 10_000

/** The sessions that agents have kept of this project. */
export async function offerImport(ralph: Ralph, { pastSessions }: Surroundings): Promise<SetupOffer> {
  const { sessions, agents, files } = pastSessions
  const count = plural(sessions, 'past session')
  const whose = agents.map(agentLabel).join(', ')
  const offer = {
    name: 'import' as const,
    question: `Import ${sessions === 1 ? 'the past session' : `the ${count}`} of ${whose} in this project?`,
  }
  if (files.length === 0)
    return { ...offer, state: 'nothing', about: 'no agent has kept sessions of this project' }
  return {
    ...offer,
    state: (await unreadCount(ralph, files)) === 0 ? 'there' : 'open',
    about: `${count} of ${whose}`,
    accept: (watched) => importSessions(ralph, watched),
  }
}

async function unreadCount(
  { config, openConversations }: Ralph,
  files: Surroundings['pastSessions']['files'],
) {
  const { settings, paths, project } = config
  // Looking makes no database.
  if (settings.storage.driver === 'sqlite' && !existsSync(paths.userDatabase)) return files.length
  return (await (await openConversations()).ofProject(project).unread(files)).length
}

async function importSessions(ralph: Ralph, { signal, onProgress }: Watched): Promise<Accepted> {
  const { project } = ralph.config
  const { files, exchanges, conversations, secretsMasked } = await ralph.conversations.importSessions(
    undefined,
    { project, signal, onProgress: (report) => onProgress?.(progressLine(report)) },
  )
  await readMeaning(ralph, { signal, onProgress })
  const about = [
    `${plural(exchanges.added + exchanges.updated, 'exchange')} in ${plural(conversations, 'conversation')}`,
    ...(secretsMasked > 0 ? [`${plural(secretsMasked, 'secret')} masked`] : []),
    ...(files.failed > 0 ? [`${plural(files.failed, 'file')} not readable`] : []),
  ]
  return { about: about.join(', '), files: [] }
}

/** So that the first question is answered by meaning too; not where that costs money, or asks a service. */
async function readMeaning(ralph: Ralph, { signal, onProgress }: Watched): Promise<void> {
  const { embedder, languageModel } = ralph.config.settings
  if (embedder.provider !== 'local' || languageModel.provider !== 'none') return
  onProgress?.('reading what they mean')
  const enough = AbortSignal.timeout(MEANING_WITHIN_MS)
  try {
    const { workers } = await ralph.openConversations()
    await workers.runOnce(signal ? AbortSignal.any([signal, enough]) : enough)
  } catch (error) {
    if (!isRalphError(error) || error.code !== 'cancelled' || signal?.aborted) throw error
  }
}

function progressLine({ files, exchanges }: ImportReport): string {
  return `${files.read + files.unchanged + files.failed} of ${plural(files.found, 'file')}, ${plural(exchanges.added, 'exchange')}`
}
