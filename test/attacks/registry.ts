/** Every kind of attack that is tried, what it was called where it got through, and the cases that try it here. */
export interface AttackKind {
  kind: string
  tried: string
  /** Where it was seen, by its public name; `here` where it got through in this product before it was mended. */
  seen: readonly string[]
  /** What it comes in by. */
  surface: string
  cases: readonly AttackCases[]
}

export interface AttackCases {
  /** In test/attacks. */
  file: string
  /** Only those with such a title; all that no earlier kind has, unless it is said. */
  titled?: RegExp
}

const inFile = (file: string, titled?: RegExp): AttackCases => ({
  file: `${file}.test.ts`,
  ...(titled && { titled }),
})

/** Of two kinds that could have a case, the first has it. */
export const ATTACK_KINDS: readonly AttackKind[] = [
  {
    kind: 'instructions in what is remembered',
    tried:
      'orders in eleven languages, tags, turns, fences, links, calls of tools, tag characters and other unseen letters, in every field, on every surface that an agent reads',
    seen: ['OWASP LLM01', 'EchoLeak CVE-2025-32711', 'ASCII smuggling', 'here'],
    surface: 'prompts, hooks, MCP, chat',
    cases: [inFile('frame'), inFile('injection')],
  },
  {
    kind: 'poisoned memory',
    tried:
      'what agents were talked into remembering elsewhere, through the tools that store; an agent that then reviews, rewords or removes what a person wrote',
    seen: [
      'SpAIware',
      'Gemini delayed tool invocation',
      'MINJA',
      'AgentPoison',
      'MemoryGraft',
      'MCP tool poisoning',
      'OWASP ASI06',
    ],
    surface: 'MCP, journals, learnings',
    cases: [inFile('poisoning'), inFile('learnings')],
  },
  {
    kind: 'end of the block of knowledge',
    tried:
      'closing or opening the frame with other brackets, letters that look alike, line breaks of every kind, pieces put together by a cut',
    seen: ['delimiter injection', 'here'],
    surface: 'project knowledge',
    cases: [inFile('knowledge')],
  },
  {
    kind: 'forged provenance',
    tried:
      'learnings, journals, receipts and files of decisions that call themselves a person’s, reviewed or verified; the same in a search index that came with a clone or was edited',
    seen: ['OWASP ASI06', 'here'],
    surface: 'files in .ralph',
    cases: [inFile('provenance'), inFile('edited-ralph', /search index|journals and receipts/)],
  },
  {
    kind: 'planted caches',
    tried:
      'iterations, descriptions, learnings, knowledge, conversations and documents that only an index has, in a project or on a shared server, with ids of others, odd fields and in hundreds; ledgers, outlines, boards and logs of changes that somebody else worked out',
    seen: ['here'],
    surface: 'files in .ralph/cache, Qdrant',
    cases: [inFile('planted-cache'), inFile('shared-qdrant')],
  },
  {
    kind: 'another project’s memory',
    tried:
      'the id of another project in .ralph, with the origin of its repository, or while it is read; ids that are paths or queries; ids of another project at the dashboard',
    seen: ['memanto namespace adoption', 'here'],
    surface: 'project.json, dashboard',
    cases: [
      inFile('edited-ralph', /id of the project/),
      inFile('dashboard', /no other project/),
      inFile('races', /the id of a project/),
    ],
  },
  {
    kind: 'settings of a repository',
    tried:
      'services, servers, keys, commands, limits in a clone’s settings; changed after they were trusted and while a person reads them, in other letters, in the files that a command names, in another copy',
    seen: [
      'Claude Code CVE-2025-59536',
      'Cursor CVE-2025-54135',
      'MCPoison CVE-2025-54136',
      'Copilot CVE-2025-53773',
      'TrustFall',
    ],
    surface: 'rag_config.json, board',
    cases: [inFile('settings'), inFile('races', /what a person trusts/)],
  },
  {
    kind: 'an agent that edits the settings',
    tried:
      'taking the gate away, naming another agent, service, limit of spending or person while a loop runs',
    seen: ['Copilot CVE-2025-53773', 'CurXecute CVE-2025-54135', 'here'],
    surface: 'rag_config.json',
    cases: [inFile('edited-ralph', /settings, in a run/)],
  },
  {
    kind: 'variables of a repository',
    tried:
      'addresses, drivers, limits and a home, set for programs by .claude/settings.json, .mcp.json, .env, .envrc and the like',
    seen: ['Claude Code CVE-2026-21852', 'here'],
    surface: 'environment',
    cases: [inFile('environment')],
  },
  {
    kind: 'programs that git starts',
    tried:
      'watchers, hooks, filters, converters, pagers, checkers of signatures and ways to fetch, named in a repository’s own settings; a folder that looks like a repository',
    seen: ['core.fsmonitor', 'embedded bare repositories', 'CVE-2022-24765', 'here'],
    surface: 'gates, documents, doctor, init',
    cases: [inFile('git')],
  },
  {
    kind: 'decisions in a person’s name',
    tried:
      'approving, trusting, setting, forgetting, switching off, sharing and speaking as a person from an agent’s shell and in a chat, every command that there is; with the marks of an agent taken out of the environment; a dashboard that an agent has started',
    seen: ['confused deputy', 'Cursor CVE-2026-22708', 'here'],
    surface: 'commands, dashboard',
    cases: [inFile('decisions'), inFile('rights'), inFile('dashboard', /agent that start/)],
  },
  {
    kind: 'sites in the same browser',
    tried:
      'other names for this machine, foreign origins, forms, frames, links, preflights; requests without a key, with a wrong, late or used one',
    seen: [
      'MCP Inspector CVE-2025-49596',
      'MCP SDK CVE-2025-66414',
      'claude-mem #1933',
      'opencode-mem #135',
      'mem0 CVE-2026-31240',
    ],
    surface: 'dashboard',
    cases: [inFile('dashboard')],
  },
  {
    kind: 'requests in disguise',
    tried:
      'two requests in one, lengths that contradict each other, headers and addresses without end, cookies among strange ones; more listeners than anybody has pages',
    seen: ['HTTP request smuggling', 'CVE-2022-32213'],
    surface: 'dashboard',
    cases: [inFile('http')],
  },
  {
    kind: 'links and odd files',
    tried:
      'symbolic links out, nowhere and to themselves, second names, named pipes and folders in place of every file of ours; a folder that becomes a link between the look and the use; notes and logs that name files elsewhere',
    seen: ['Claude Code CVE-2026-25724', 'MCP filesystem CVE-2025-53109', 'here'],
    surface: 'files in .ralph',
    cases: [inFile('links'), inFile('odd-files'), inFile('races'), inFile('hooks-cache')],
  },
  {
    kind: 'paths and names',
    tried:
      'resources with .. in every spelling, streams, short names, other letters; names of features that are devices, paths or another’s; paths of other machines',
    seen: ['claude-mem #1251', 'MCP filesystem CVE-2025-53110', 'Cursor CVE-2025-59944'],
    surface: 'MCP, names of files',
    cases: [inFile('malformed', /MCP is called with|names of features|lead out of a project/)],
  },
  {
    kind: 'files that break their reader',
    tried:
      'references that multiply, nesting a hundred thousand deep, prototypes in YAML and JSON, tags that would run, lines without end',
    seen: ['billion laughs', 'prototype pollution', 'here'],
    surface: 'board, settings, journals',
    cases: [inFile('malformed')],
  },
  {
    kind: 'files and rows of strangers',
    tried:
      'imports of journals, conversations and knowledge that are none, nest, claim numbers, times and people, or carry secrets; PDFs with scripts, programs, circles and streams that grow; rows that whoever has the password wrote into a shared database',
    seen: ['CSV and archive bombs', 'pdf.js CVE-2024-4367', 'here'],
    surface: 'imports, documents, PostgreSQL',
    cases: ['imports', 'pdf', 'shared-database'].map((file) => inFile(file)),
  },
  {
    kind: 'texts that take long',
    tried:
      'every regular expression of the source on texts made to be slow; records that repeat themselves to push others out',
    seen: ['ReDoS', 'here'],
    surface: 'everything that reads text',
    cases: [inFile('pattern-growth'), inFile('repetition')],
  },
  {
    kind: 'what programs tell hooks',
    tried:
      'any field with any value, ids of sessions that are paths, agents that do not exist, patches of files elsewhere',
    seen: ['here'],
    surface: 'hooks',
    cases: [inFile('hook-input')],
  },
  {
    kind: 'codes for the terminal',
    tried:
      'clipboard, titles, links, cursor, colours, reversed and unseen letters in everything that any command prints, whole and in pieces',
    seen: ['OSC 52', 'OSC 8', 'Trojan Source CVE-2021-42574', 'here'],
    surface: 'commands, chat',
    cases: [inFile('terminal')],
  },
  {
    kind: 'secrets that stay',
    tried:
      'keys of every known service on every way in, broken over lines, with something put into them, encoded, in addresses of services and in errors; what should be forgotten',
    seen: ['secretlint and gitleaks rules', 'here'],
    surface: 'everything that is stored or printed',
    cases: [
      ...['secrets', 'secret-kinds', 'encoded-secrets', 'keys-in-urls', 'forgetting'].map((file) =>
        inFile(file),
      ),
    ],
  },
  {
    kind: 'other users of the machine',
    tried:
      'reading the user’s folder; a socket in a folder that others can write to, of another user, or behind a link',
    seen: ['CWE-377', 'claude-mem #1251', 'here'],
    surface: 'files in ~/.ralph, sockets',
    cases: [inFile('other-users'), inFile('socket')],
  },
]

/** Beside an attack, its honest twin: what must go on working. No attack, so it is not counted as one. */
export const HONEST =
  /honest|stays? readable|only looks like|was only encoded|lets changes through again|still shows|every surface is in the table|every command is in the table|a surface that shows nothing|measure itself|only follow one another|take effect once|need nobody/
