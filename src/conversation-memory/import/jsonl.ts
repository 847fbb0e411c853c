import { open } from 'node:fs/promises'
import { fileError, isRalphError, RalphError } from '../../errors.ts'
import { chunksOf, linesOf } from '../../files/lines.ts'
import { parseObject } from '../../text/json.ts'
import { withoutSecretIn } from '../../text/redact-value.ts'
import type { History } from '../history.ts'
import type { Intake } from '../intake.ts'
import { type ExchangeLine, hashedId, type NewExchange, parseExchangeLine, toMessage } from '../record.ts'
import type { Tags } from '../tags.ts'
import { BackupFacts } from './backup-facts.ts'
import { type ImportReport, Skips, type WatchedImport } from './report.ts'

export interface JsonlImportOptions extends WatchedImport {
  intake: Intake
  history: History
  tags: Tags
}

/** Reads the neutral form, one exchange per line. A damaged line is reported and the rest goes on. */
export async function importExchanges(path: string, options: JsonlImportOptions): Promise<ImportReport> {
  const { intake, onProgress, signal } = options
  const skips = new Skips()
  const conversations = new Set<string>()
  const tags = new Map<string, Set<string>>()
  const occurrences = new Occurrences()
  const backup = new BackupFacts()
  let found = 0
  let number = 0
  const report = (): ImportReport => ({
    files: { found: 1, read: 1, unchanged: 0, failed: 0 },
    agents: [],
    exchanges: { found, ...pick(intake), skipped: skips.total },
    conversations: conversations.size,
    secretsMasked: intake.counts.secrets,
    restored: restoredCounts(intake),
    skipped: skips.list(),
  })

  const file = await open(path, 'r').catch((error: unknown) => {
    throw fileError(error, path, 'cannot import')
  })
  try {
    for await (const { text } of linesOf(chunksOf(file), { signal })) {
      number++
      if (text === undefined) skips.add('the line is too long', `line ${number}`)
      if (text === undefined || text.trim() === '') continue
      found++
      try {
        const line = parseExchangeLine(text)
        conversations.add(line.conversation_id)
        for (const tag of line.tags ?? []) remember(tags, withoutSecretIn(line.conversation_id), tag)
        const { facts, restored } = backup.of(line)
        await intake.add(toNewExchange(line, occurrences), facts, restored)
      } catch (error) {
        if (!isRalphError(error) || error.code !== 'invalid_input') throw error
        skips.add(error.message, `line ${number}`)
      }
      if (found % 500 === 0) onProgress?.(report())
    }
  } catch (error) {
    throw fileError(error, path, 'cannot import')
  } finally {
    await file.close()
  }
  await intake.flush()
  const own = await options.history.ownIds([...tags.keys()])
  for (const [conversation, names] of tags) await options.tags.add(own.get(conversation)!, ...names)
  if (found > 0 && skips.total === found) throw nothingUseful(path, skips)
  return report()
}

/** Whether the first line of a file is an exchange in the neutral form. */
export async function isExchangeFile(path: string): Promise<boolean> {
  // A folder, or nothing at all: whoever imports it says so.
  const file = await open(path, 'r').catch(() => undefined)
  if (!file) return false
  try {
    if (!(await file.stat()).isFile()) return false
    for await (const { text } of linesOf(chunksOf(file))) {
      if (text === undefined || text.trim() !== '') return isExchangeLine(text ?? '')
    }
    return false
  } finally {
    await file.close()
  }
}

function isExchangeLine(text: string): boolean {
  const line = parseObject(text)
  return line !== undefined && 'conversation_id' in line && 'user_message' in line
}

function toNewExchange(line: ExchangeLine, occurrences: Occurrences): NewExchange {
  const answer = line.assistant_message ?? ''
  return {
    conversationId: line.conversation_id,
    id: line.exchange_id ?? occurrences.idOf(line),
    userMessage: line.user_message,
    assistantMessage: answer,
    // Nobody here writes the rest of it.
    status: line.status === 'open' ? 'interrupted' : (line.status ?? 'completed'),
    ...(line.started_at && { startedAt: line.started_at }),
    ...(line.completed_at && { completedAt: line.completed_at }),
    ...(line.messages && { messages: line.messages.map(toMessage) }),
  }
}

/**
 * Gives exchanges without an id one from their content, so that importing twice changes nothing; "continue" said
 * twice in one conversation stays two exchanges.
 */
class Occurrences {
  readonly #seen = new Map<string, number>()

  idOf(line: ExchangeLine): string {
    const parts = [
      line.conversation_id,
      line.started_at?.getTime() ?? '',
      line.user_message,
      line.assistant_message ?? '',
    ]
    const id = hashedId(...parts)
    const before = this.#seen.get(id) ?? 0
    this.#seen.set(id, before + 1)
    return before === 0 ? id : hashedId(...parts, before)
  }
}

function restoredCounts({ counts }: Intake): NonNullable<ImportReport['restored']> {
  const { summaries, votes, vectors } = counts
  return { summaries, votes, vectors }
}

function pick({ counts }: Intake): Pick<ImportReport['exchanges'], 'added' | 'updated' | 'unchanged'> {
  return { added: counts.added, updated: counts.updated, unchanged: counts.unchanged }
}

function remember(tags: Map<string, Set<string>>, conversation: string, tag: string): void {
  const names = tags.get(conversation)
  if (names) names.add(tag)
  else tags.set(conversation, new Set([tag]))
}

function nothingUseful(path: string, skips: Skips): RalphError {
  const [first] = skips.list()
  return new RalphError(
    'invalid_input',
    `${path} holds no exchanges: ${first?.example ?? 'line 1'}: ${first?.why}`,
    {
      hint: 'One JSON object per line: {"conversation_id","user_message","assistant_message"}. For sessions of an agent leave --format out, or name it: --format claude-code.',
    },
  )
}
