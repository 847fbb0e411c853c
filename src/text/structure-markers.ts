import { fold } from './fold.ts'

/**
 * Things that look like the machinery around a model's text: roles, tags, fences, tool calls. They are rewritten so that a
 * person still reads them and no parser and no model takes them for the real thing. Each repetition is bounded.
 */
export interface Marker {
  kind: string
  /** One of these stands in every match: most texts hold none, and that is seen much faster. */
  signs: readonly string[]
  pattern: RegExp
  /** The harmless form, or undefined when this one is ordinary text. */
  rewrite: (match: string, groups: readonly string[], before: string, after: string) => string | undefined
}

/** `tool_use`, `tool-use`, `ToolUse` and `tооl_use` (Cyrillic) are the same name. */
const nameOf = (text: string) => fold(text).replace(/[\s_:.-]+/g, '')
const names = (list: string) => new Set(list.split(/\s+/).map(nameOf))

const ROLES = names('system assistant human user developer tool ai function')
/** The turn markers of Claude's text format: nothing else looks like this at the start of a line. */
const TURNS = names('human assistant')
const TAGS = names(
  'system-reminder system-prompt system-message system-instruction system-instructions system tool_use tool_result tool_call tool_calls tool_response function_call function_calls function_result function_results function_response invoke antml thinking start_of_turn end_of_turn im_start im_end',
)
/** Also names of components, type parameters and placeholders (/home/<user>): only as plain tags on their own. */
const PLAIN_TAGS = names('assistant human user developer instructions instruction prompt parameter')
const BLOCKS = names(
  'system system-prompt system-message instructions prompt tool_use tool_call tool_calls tool_code tool_result function_call function_calls assistant human',
)
/** Labels that only we put on a learning, and fences that only we put around memory. */
const LABELS = names(
  'inst sys reviewed verified approved trusted official stale conflict opus_reviewed human_reviewed human-approved verified-by-human reviewed-by-human system-message system-prompt system-override admin-override end-context end-of-context',
)
const FENCES = [
  'orchestratorcontext',
  'endcontext',
  'endoforchestratorcontext',
  'ralphmemory',
  'endmemory',
].map(nameOf)

/** Brackets, and what looks like brackets. */
const OPENING_SIGNS = [...'[［【〔〖〚⟦❲⁅﹝']
const OPENING = '\\[［【〔〖〚⟦❲⁅﹝'
const CLOSING = '\\]］】〕〗〛⟧❳⁆﹞'

const QUOTE = String.raw`\\{0,3}["']`
const quoted = (names: string) => `${QUOTE}(?:${names})${QUOTE}`
const COLON = String.raw`\s{0,4}:\s{0,4}`
/** Typographic quotes read the same and are no JSON. */
const unquote = (match: string) => match.replace(/\\{0,3}"/g, '”').replace(/\\{0,3}'/g, '’')

export const MARKERS: readonly Marker[] = [
  {
    kind: 'tool call',
    signs: [':'],
    pattern: new RegExp(
      [
        quoted('type') + COLON + quoted('(?:server_)?tool_use|tool_result|tool_call|function_call'),
        `${quoted('tool_calls|tool_uses|function_call')}${COLON}[\\[{]`,
        `${quoted('role') + COLON + quoted('system|assistant|developer|tool|user|human')}\\s{0,4},\\s{0,4}${quoted('content')}`,
        `${quoted('name|tool|tool_name') + COLON + QUOTE}[\\w.:-]{1,64}${QUOTE}\\s{0,4},\\s{0,4}${quoted('input|arguments|parameters|args')}${COLON}`,
      ].join('|'),
      'g',
    ),
    rewrite: unquote,
  },
  {
    kind: 'chat template',
    signs: ['<', '＜'],
    pattern: /[<＜][|｜]([\p{L}\p{N}_▁]{1,40})[|｜][>＞]|<<(\/?SYS)>>/giu,
    rewrite: (_, [token, system]) => `‹${token || system}›`,
  },
  {
    kind: 'system tag',
    signs: ['<', '＜', '﹤'],
    pattern: /[<＜﹤](\s{0,3}\/?\s{0,3})([\p{L}_][\p{L}\p{N}_:.-]{0,60})([^<>＜＞﹤\n]{0,300})([>＞]?)/gu,
    rewrite: (_, [slash, name, rest, close], before) => {
      const plain = nameOf(name!)
      const known = TAGS.has(plain) || plain.startsWith(nameOf('antml'))
      const sameCase = name === name!.toLowerCase() || name === name!.toUpperCase()
      if (!known && !(PLAIN_TAGS.has(plain) && sameCase && !/[\p{L}\p{N}_/="'@:.-]$/u.test(before)))
        return undefined
      return `‹${slash}${name}${rest}${close && '›'}`
    },
  },
  {
    kind: 'context fence',
    signs: OPENING_SIGNS,
    pattern: new RegExp(
      `[${OPENING}]{1,3}(\\s{0,3}/?\\s{0,3}\\p{L}[^${OPENING}${CLOSING}\\n]{1,120})[${CLOSING}]{1,3}`,
      'gu',
    ),
    rewrite: (_, [inside], before) => {
      const label = nameOf(inside!.replace('/', ''))
      if (FENCES.some((fence) => label.startsWith(fence))) return `(${inside!.trim()})`
      if (!LABELS.has(label) || /[\p{L}\p{N}_]$/u.test(before)) return undefined
      return `(claims: ${inside!.trim()})`
    },
  },
  {
    kind: 'context fence',
    signs: OPENING_SIGNS,
    // Left open, it still reads like one.
    pattern: new RegExp(`[${OPENING}]{1,8}(\\s{0,3}/?\\s{0,3}\\p{L}{1,20}[\\s_.-]{0,4}\\p{L}{0,20})`, 'gu'),
    rewrite: (_, [inside]) => {
      const label = nameOf(inside!.replace('/', ''))
      return FENCES.some((fence) => label.startsWith(fence)) ? `(${inside}` : undefined
    },
  },
  {
    kind: 'context fence',
    signs: ['-', '=', '#', '*', '~', '_', '<'],
    pattern:
      /(?<![-=#*~_>])([-=#*~_>]{2,40}[ \t]{0,4})((?:begin|end|start|new)(?:[ \t]{1,4}[a-z]{1,20}){0,3}[ \t]{1,4}(?:prompt|instructions?|context|conversation|input|messages?))([ \t]{0,4}[-=#*~_<]{2,40})/gi,
    rewrite: (_, [, inside]) => `(${inside})`,
  },
  {
    kind: 'system block',
    signs: ['```', '~~~'],
    pattern: /^([ \t>]{0,12}(?:`{3,12}|~{3,12}))[ \t]{0,4}([\p{L}_][\p{L}\p{N}_-]{1,40})/gmu,
    rewrite: (_, [fence, name]) => (BLOCKS.has(nameOf(name!)) ? `${fence}text` : undefined),
  },
  {
    kind: 'role marker',
    signs: [':', '：'],
    // At the start of a line, also one that is written as \n inside a string.
    pattern: /(^|\\n)([ \t>*#_-]{0,12})\[?([\p{L}\p{N}]{2,12})\]?([ \t*_]{0,4})[:：]([ \t*_]{0,4})/gmu,
    rewrite: (_, [start, lead, role, trail, space], _before, after) => {
      const name = nameOf(role!)
      if (!ROLES.has(name)) return undefined
      // `user: root` is configuration; `Human:` and a whole sentence after `system:` are a turn of a conversation.
      if (!TURNS.has(name) && /^\S{1,80}[ \t]{0,4}(?:\n|$)/.test(after)) return undefined
      return `${start}${lead}(${role})${trail}${space}`
    },
  },
  {
    kind: 'role marker',
    signs: ['['],
    pattern: /^([ \t>*#_-]{0,12})\[(\s{0,2}[\p{L}]{2,12}\s{0,2})\](?=[ \t]{1,4}\S{1,80}[ \t]{1,4}\S)/gmu,
    rewrite: (_, [lead, role]) => (ROLES.has(nameOf(role!)) ? `${lead}(${role!.trim()})` : undefined),
  },
]
