import type { Summary } from '../language-model/summariser.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import { normalTag } from './tags.ts'
import type { Tagger } from './topics/tagging.ts'

const MOST_TAGS = 3
const LONGEST = 30

/** Of each its own, or what its words say where none came with the summary. */
export function tagsWith(
  done: readonly { item: { id: string }; summary: Pick<Summary, 'tags'> }[],
  tagger: Tagger | undefined,
): Promise<(readonly string[])[]> {
  return Promise.all(
    done.map(async ({ item, summary }) => summary.tags ?? (await tagger?.tagsOf(item.id)) ?? []),
  )
}

/**
 * Replaces the tags that came with an earlier summary. What a person has given or taken away stays so: neither is touched, nor is what
 * was taken away given again.
 */
export async function writeAutomaticTags(
  db: StorageTransaction,
  conversationId: string,
  tags: readonly string[],
): Promise<void> {
  const removed = await db
    .selectFrom('conversation_tags_removed')
    .select('tag')
    .where('conversation_id', '=', conversationId)
    .execute()
  const unwanted = new Set(removed.map(({ tag }) => tag))
  await db
    .deleteFrom('conversation_tags')
    .where('conversation_id', '=', conversationId)
    .where('automatic', '=', 1)
    .execute()
  const names = usable(tags).filter((tag) => !unwanted.has(tag))
  if (names.length === 0) return
  await db
    .insertInto('conversation_tags')
    .values(names.map((tag) => ({ conversation_id: conversationId, tag, automatic: 1 as const })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** A few short ones: whatever else a model has written is no tag. */
function usable(tags: readonly string[]): string[] {
  const names = tags
    .map((tag) => tag.replace(/[^\p{L}\p{N}\s._+#-]+/gu, ' ').trim())
    .filter(
      (tag) => /\p{L}.*[\p{L}\p{N}+#]/u.test(tag) && tag.length <= LONGEST && tag.split(/\s+/).length <= 3,
    )
    .map(normalTag)
  return [...new Set(names)].slice(0, MOST_TAGS)
}
