import { z } from 'zod'
import { isRalphError, messageOf } from '../errors.ts'
import type { ToolDefinition } from '../language-model/language-model.ts'
import { snakeKeys } from '../text/case.ts'
import { asData, sanitise } from '../text/sanitise.ts'
import { truncate } from '../text/truncate.ts'
import type { ConversationDetails, DetailsRequest, ExchangeDetails } from './details.ts'
import { MESSAGE_CHARACTERS } from './retrieve/context.ts'
import type { FoundExchange, SearchOptions, SearchResults } from './retrieve/retriever.ts'

/** What a model may ask conversation memory for, in the chat and over MCP alike. */

export const FetchInput = z.object({
  conversation_id: z.string().min(1).optional().describe('Id of a conversation, as shown beside its title'),
  exchange_id: z.string().min(1).optional().describe('Id of a single exchange'),
  include_full_transcript: z
    .boolean()
    .optional()
    .describe('Also tool calls, their results and what was said in between'),
  from: z.int().min(0).optional().describe('Of a long conversation: the exchange to begin with, from 0'),
})

export const SearchInput = z.object({
  query: z
    .string()
    .min(1)
    .describe(
      'What to look for: words, names, error codes, or a question; "last week" and "in March" are understood',
    ),
  limit: z.int().min(1).max(50).optional().describe('How many exchanges, default 5'),
  tags: z.array(z.string().min(1)).optional().describe('Only conversations with all of these tags'),
})

export const CONVERSATION_TOOLS: readonly ToolDefinition[] = [
  {
    name: 'fetch_conversation_details',
    description:
      'Reads a past conversation, or one exchange of it, by its id. Give conversation_id or exchange_id. What comes back is a record of the past: verify before relying on it.',
    parameters: jsonSchema(FetchInput),
  },
  {
    name: 'search_conversations',
    description:
      'Searches all past conversations by meaning and by words, and returns the best exchanges with their ids. Use it when the user refers to something done or said before.',
    parameters: jsonSchema(SearchInput),
  },
]

export interface ToolAnswer {
  text: string
  /** The same for programs, in the spelling of JSON. */
  structured: { [key: string]: unknown }
  isError: boolean
}

export interface ToolBackend {
  details(request: DetailsRequest): Promise<ConversationDetails | ExchangeDetails>
  search(query: string, options: SearchOptions): Promise<SearchResults>
}

/** Runs a tool by name. Whatever goes wrong is an answer the model can act on, never an exception. */
export async function runConversationTool(
  backend: ToolBackend,
  name: string,
  input: unknown,
  context: { excluding?: string | undefined; signal?: AbortSignal | undefined } = {},
): Promise<ToolAnswer> {
  try {
    if (name === 'fetch_conversation_details') return await fetchTool(backend, input)
    if (name === 'search_conversations') return await searchTool(backend, input, context)
    return failure(
      `There is no tool ${name}.`,
      `Tools: ${CONVERSATION_TOOLS.map((tool) => tool.name).join(', ')}`,
    )
  } catch (error) {
    if (!isRalphError(error) || error.code === 'cancelled') throw error
    return failure(messageOf(error), error.hint)
  }
}

async function fetchTool(backend: ToolBackend, input: unknown): Promise<ToolAnswer> {
  const parsed = FetchInput.safeParse(input)
  if (!parsed.success) return badInput(parsed.error, '{"conversation_id": "…"}')
  const { conversation_id, exchange_id, include_full_transcript, from } = parsed.data
  const details = await backend.details({
    conversationId: conversation_id,
    exchangeId: exchange_id,
    includeFullTranscript: include_full_transcript,
    from,
  })
  const structured = snakeKeys(details) as ToolAnswer['structured']
  return { text: JSON.stringify(structured, null, 1), structured, isError: false }
}

async function searchTool(
  backend: ToolBackend,
  input: unknown,
  { excluding, signal }: { excluding?: string | undefined; signal?: AbortSignal | undefined },
): Promise<ToolAnswer> {
  const parsed = SearchInput.safeParse(input)
  if (!parsed.success) return badInput(parsed.error, '{"query": "socket timeout", "limit": 5}')
  const { query, limit = 5, tags } = parsed.data
  const { results, wordsOnly } = await backend.search(query, {
    limit,
    ...(tags && { tags }),
    ...(excluding && { excluding }),
    ...(signal && { signal }),
  })
  const structured = { query, words_only: wordsOnly, results: results.map(safeJson) }
  if (results.length === 0)
    return { text: 'Nothing in past conversations matches.', structured, isError: false }
  return { text: results.map(resultText).join('\n\n'), structured, isError: false }
}

/** One result as programs see it, on the command line and over MCP. */
export function resultJson({ exchange, conversation, similarity, matched, duplicates }: FoundExchange) {
  return {
    exchange_id: exchange.id,
    conversation_id: conversation.id,
    title: conversation.title,
    position: exchange.position,
    similarity: Math.round(similarity * 1_000) / 1_000,
    matched,
    date: (exchange.completedAt ?? exchange.startedAt)?.toISOString() ?? null,
    summary: exchange.summary ?? null,
    user_message: exchange.userMessage,
    assistant_message: exchange.assistantMessage,
    duplicates,
  }
}

/** As `resultJson`, made safe to be read by a model. */
function safeJson(found: FoundExchange) {
  const result = resultJson(found)
  return {
    ...result,
    title: sanitise(result.title),
    summary: result.summary && sanitise(result.summary),
    user_message: sanitise(truncate(result.user_message, LONGEST_MESSAGE)),
    assistant_message: sanitise(truncate(result.assistant_message, LONGEST_MESSAGE)),
  }
}

/** Whoever wants more fetches the exchange. */
const LONGEST_MESSAGE = 4_000

function resultText({ exchange, conversation, similarity }: FoundExchange): string {
  const date = (exchange.completedAt ?? exchange.startedAt)?.toISOString().slice(0, 10)
  const cut = (text: string) => truncate(asData(text.slice(0, MESSAGE_CHARACTERS * 5)), MESSAGE_CHARACTERS)
  return [
    `Exchange ${asData(exchange.id)} of "${asData(conversation.title)}" (conversation ${asData(conversation.id)}${date ? `, ${date}` : ''}, similarity ${similarity.toFixed(2)})`,
    `- User: ${cut(exchange.userMessage)}`,
    `- Assistant: ${cut(exchange.assistantMessage)}`,
  ].join('\n')
}

function badInput(error: z.ZodError, example: string): ToolAnswer {
  const issue = error.issues[0]!
  return failure(`${issue.path.join('.') || 'input'}: ${issue.message}`, `Example: ${example}`)
}

function failure(message: string, hint: string | undefined): ToolAnswer {
  return { text: hint ? `${message} ${hint}` : message, structured: { error: message }, isError: true }
}

function jsonSchema(schema: z.ZodType): ToolDefinition['parameters'] {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema)
  return parameters
}
