import { globSync, readFileSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/** Of each folder of src: which others it may import. A file at the top (errors.ts, …) stands for itself. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  // What everything stands on.
  text: [],
  files: ['text'],
  // Which of them hang is kept in a file, for all processes.
  services: ['text', 'files'],
  shell: ['files'],

  // Contracts and their drivers.
  'search-index': ['text', 'files', 'services'],
  embedding: ['text', 'files', 'services'],
  'language-model': ['text', 'services'],
  storage: ['text', 'files'],

  // Which project this is, and who works on it.
  identity: ['text', 'files', 'storage'],

  // What a person has to allow, and has allowed.
  trust: ['text', 'files'],

  // What calls have cost, and may cost.
  spend: ['services', 'storage', 'text'],

  // What the three memories share.
  retrieval: ['search-index', 'embedding', 'text', 'files'],

  // What happened, and where it is kept.
  transcripts: ['text', 'files'],
  learnings: ['trust', 'text', 'files', 'noted-change.ts'],
  receipts: ['text', 'files', 'shell'],
  'feature-memory': [
    'retrieval',
    'transcripts',
    'shell',
    'search-index',
    'embedding',
    'identity',
    'text',
    'files',
  ],
  'project-knowledge': [
    'retrieval',
    'search-index',
    'embedding',
    'storage',
    'identity',
    'trust',
    'text',
    'files',
  ],
  'conversation-memory': [
    ...[
      'retrieval',
      'transcripts',
      'search-index',
      'embedding',
      'language-model',
      'storage',
      'spend',
      'identity',
      'text',
      'files',
    ],
  ],
  // A person's own files, found beside conversations.
  documents: ['retrieval', 'storage', 'text', 'files'],
  // What the chat, the shell and MCP offer alike: surfaces never import each other.
  'conversation-commands': [
    'conversation-memory',
    'documents',
    'spend',
    'retrieval',
    'receipts',
    'transcripts',
    'text',
  ],
  // Of transcripts only which agents there are.
  board: ['learnings', 'transcripts', 'text', 'files', 'noted-change.ts'],
  // One search over all memories.
  recall: [
    'feature-memory',
    'project-knowledge',
    'conversation-memory',
    'documents',
    'retrieval',
    'transcripts',
    'text',
  ],
  // Whether all that makes a difference.
  effect: ['feature-memory', 'receipts', 'text', 'files', 'config.ts'],
  // Whatever has an id, found by it and opened.
  lookup: [
    ...['recall', 'feature-memory', 'learnings', 'project-knowledge', 'conversation-memory', 'documents'],
    ...['board', 'receipts', 'text'],
  ],
  // What people changed, and how it is taken back.
  undo: ['board', 'learnings', 'configuration', 'text', 'files', 'config.ts', 'noted-change.ts'],
  // All of it, drawn by meaning.
  'memory-map': [
    'recall',
    'feature-memory',
    'project-knowledge',
    'conversation-memory',
    'retrieval',
    'text',
    'files',
  ],
  loop: [
    ...[
      'feature-memory',
      'project-knowledge',
      'board',
      'learnings',
      'receipts',
      'transcripts',
      'shell',
      'telling',
      'trust',
      'agent-config',
      'text',
      'files',
    ],
  ],

  // What prompts, hooks and people are told of a run, in the same words.
  telling: ['feature-memory', 'receipts', 'text'],

  // Care of the whole.
  // Which agents there are is said once.
  'agent-config': ['transcripts', 'text', 'files', 'version.ts'],
  overview: [
    ...['feature-memory', 'project-knowledge', 'learnings', 'board', 'receipts', 'health', 'identity'],
    ...['storage', 'spend', 'agent-config', 'files', 'text', 'config.ts', 'version.ts'],
  ],
  configuration: [
    'text',
    'files',
    'config.ts',
    'settings.ts',
    'settings-layers.ts',
    'settings-schema.ts',
    'noted-change.ts',
  ],
  health: [
    ...[
      'feature-memory',
      'project-knowledge',
      'conversation-memory',
      'documents',
      'board',
      'search-index',
      'embedding',
      'language-model',
      'storage',
    ],
    ...['identity', 'trust', 'transcripts', 'agent-config', 'text', 'files', 'config.ts'],
    ...['settings-layers.ts', 'settings-schema.ts', 'project-setup.ts', 'home-indexes.ts'],
  ],
  // What agents did that no hook has told: recorded as hooks record it.
  sync: ['hooks', 'transcripts', 'text', 'files', 'config.ts', 'ralph.ts'],
  // What `ralph init` does to a project and to what is around it, and how it is undone.
  setup: [
    ...['agent-config', 'conversation-memory', 'feature-memory', 'transcripts', 'identity', 'trust', 'loop'],
    // What hooks have ready for the first session, and what they keep of a project.
    'hooks',
    // What the user's folder keeps of a project besides.
    ...['learnings', 'undo', 'project-knowledge'],
    ...['text', 'files', 'config.ts', 'version.ts', 'ralph.ts', 'project-setup.ts'],
  ],
  migrate: [
    ...[
      'feature-memory',
      'project-knowledge',
      'conversation-memory',
      'documents',
      'retrieval',
      'search-index',
      'embedding',
      'storage',
      'text',
    ],
    ...['files', 'config.ts', 'ralph.ts', 'deferred.ts'],
  ],
}

const SURFACES = ['cli', 'chat', 'mcp', 'hooks', 'dashboard', 'demo']
/** The command line is how the others are started. */
const STARTED_BY: Record<string, readonly string[]> = { cli: SURFACES }

/** What any folder may import. */
const COMMON = ['errors.ts', 'notices.ts', 'deferred.ts', 'installation.ts']
/** Assembled from everything else: each says what it may import by its own role. */
const ROOT_FILES: Record<string, readonly string[] | 'anything'> = {
  'ralph.ts': 'anything',
  'drivers.ts': 'anything',
  'loop-wiring.ts': 'anything',
  'health-wiring.ts': 'anything',
  'personal-wiring.ts': 'anything',
  'home-indexes.ts': ['config.ts', 'search-index'],
  'forget-traces.ts': ['config.ts', 'feature-memory', 'hooks', 'loop', 'receipts'],
  'index.ts': 'anything',
  'config.ts': [
    'settings.ts',
    'settings-layers.ts',
    'settings-schema.ts',
    'transcripts',
    'trust',
    'text',
    'files',
  ],
  'settings-layers.ts': ['settings.ts', 'text'],
  'person.ts': ['config.ts', 'loop', 'trust'],
  'held-back.ts': ['config.ts', 'loop', 'files'],
  // The defaults of searches are said once.
  'settings.ts': ['retrieval', 'text'],
  'settings-schema.ts': ['settings.ts', 'retrieval', 'text'],
  'project-setup.ts': ['errors.ts', 'text', 'files', 'board', 'agent-config', 'identity', 'config.ts'],
  'errors.ts': [],
  'notices.ts': ['text'],
  'noted-change.ts': [],
  'deferred.ts': [],
  'installation.ts': ['version.ts', 'text', 'files'],
  'version.ts': [],
}

/** Who opens files for writing without src/files/own-files.ts, and why that is no way out of `.ralph`. */
const WRITES_ITSELF: Record<string, string> = {
  'files/own-files.ts': 'the place itself',
  'files/given-file.ts': 'a file that the caller names',
  'embedding/local/checked-cache.ts': 'reads',
  'embedding/local/safetensors.ts': 'reads',
  'search-index/sqlite/header.ts': 'reads',
  'loop/agent/log-reader.ts': 'reads',
  'storage/salvage-beginning.ts': 'writes into that copy',
  'storage/salvage-sqlite.ts': 'copies a damaged database beside itself, over nothing and through no link',
  'transcripts/codex/rollout-head.ts': 'reads',
  'transcripts/opencode/database.ts': 'makes a copy in the folder for temporary files',
}

/** Contracts and what is computed from them: everything else in these folders is a driver, which only drivers.ts names. */
const CONTRACTS: Record<string, readonly string[]> = {
  'search-index': ['search-index.ts', 'query.ts', 'word-search.ts', 'sketch.ts', 'terms.ts'],
  embedding: ['embedder.ts', 'calibration.ts', 'embed-all.ts'],
  'language-model': ['language-model.ts', 'chat-message.ts', 'summariser.ts', 'prices.ts', 'prompt-text.ts'],
  storage: [
    ...['storage.ts', 'stored-counts.ts', 'tables.ts', 'leases.ts', 'marks.ts', 'stored-values.ts'],
    ...['personal-tables.ts', 'own-ids.ts', 'revisions.ts'],
  ],
}

/** A folder that others enter in more places has no front. */
const MOST_DOORS = 10

/** The front doors of each folder: what others may import of it. Everything else is its own business. */
const DOORS: Record<string, string> = {
  transcripts:
    'agent-run agents collector events kept-sessions own-marks read-exchanges read-transcript service-failure session-places',
  retrieval: 'alike ask catch-up collection draft fusion meaning mending parts relevance',
  learnings: 'anchors append care display learning store vouched',
  receipts: 'folder forget judge log pieces read receipt recent totals',
  'feature-memory':
    'endings failed-commands feature-memory finding journal-tail ledger/error-ledger ledger/ledger ledger/lessons record record-run',
  'project-knowledge':
    'entries-source entry entry-text gate patterns project-knowledge promotion sources waiting-iterations',
  'conversation-memory':
    'conversations details documents import/report record retrieve/context retrieve/retriever settings status workers/workers',
  'conversation-commands': 'command command-groups commands declare open-patiently tools typed-values',
  board:
    'board board-version current-feature discipline feature guard/attribution guard/guard readiness task',
  loop: 'agent-loop agent/inside-run events filing gate knowledge loop-lock parts prompt/assemble run-file',
  documents: 'context document-index documents record report',
  recall: 'recall recollection searchable',
  lookup: 'address find open',
  undo: 'change-log changes describe undoable',
  'memory-map': 'memory-map',
  telling: 'ending-words error-book memory-words own-words piece-subject',
  trust: 'board-demands decision demand settings-demands trust-store untrusted variables-of-project',
  migrate: 'migrate plan',
  configuration: 'configuration setting-file',
  overview: 'glance overview',
  effect: 'effect report words',
  health: 'clone-checks documents health status',
  'agent-config':
    'clients codex-trust edited-file found-agents hooks installed instructions mcp-config ralph-command served-hook',
  setup:
    'agent-hooks forget-project-memory held-memory init-project installation mcp-server offers/offer remembered surroundings take-out',
  mcp: 'serve',
  hooks:
    'facts/from-board facts/work-out forget-notes forsaken helper-address places record-session served session-notes silence',
  sync: 'new-sessions sync',
  chat: 'terminal',
  dashboard: 'page/kit/memory-address run-mark serve',
}

interface Import {
  from: string
  to: string
  typeOnly: boolean
  dynamic: boolean
}

const root = fileURLToPath(new URL('../src', import.meta.url))
const files = globSync('**/*.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/'))
const textOf = (file: string) => readFileSync(`${root}/${file}`, 'utf8')

function importsOf(file: string): Import[] {
  const statements = textOf(file).matchAll(
    /(?:import|export)\s+(type\s)?[^'"]*?from\s+'(\.[^']+)'|import\(\s*'(\.[^']+)'\s*\)/g,
  )
  return [...statements].map(([, type, staticPath, dynamicPath]) => ({
    from: file,
    to: posix.normalize(posix.join(dirname(file), staticPath ?? dynamicPath!)),
    typeOnly: type !== undefined,
    dynamic: staticPath === undefined,
  }))
}

const imports = files.flatMap(importsOf)
/** The folder, or for a file at the top the file itself. */
const ownerOf = (path: string) => path.split('/')[0]!
const across = imports.filter(({ from, to }) => ownerOf(from) !== ownerOf(to))
const isDriver = (path: string) => {
  const contract = CONTRACTS[ownerOf(path)]
  return contract !== undefined && !contract.includes(path.slice(ownerOf(path).length + 1))
}
const shown = (found: readonly Import[]) => found.map(({ from, to }) => `${from} → ${to}`)

function mayImport(owner: string, target: string): boolean {
  if (COMMON.includes(target) && owner !== target) return true
  if (SURFACES.includes(owner))
    return !SURFACES.includes(target) || STARTED_BY[owner]?.includes(target) === true
  const allowed = owner.endsWith('.ts') ? ROOT_FILES[owner] : MAY_IMPORT[owner]
  return allowed === 'anything' || allowed?.includes(target) === true
}

describe('who may import whom', () => {
  it('finds the imports at all', () => {
    expect(imports.length).toBeGreaterThan(1_000)
    expect(shown(across)).toContain('feature-memory/journal.ts → files/file-lock.ts')
  })

  it('knows every folder and every file at the top', () => {
    const listed = new Set([...Object.keys(MAY_IMPORT), ...SURFACES, ...Object.keys(ROOT_FILES)])
    expect([...new Set(files.map(ownerOf))].filter((owner) => !listed.has(owner))).toEqual([])
    expect([...listed].filter((owner) => !files.some((file) => ownerOf(file) === owner))).toEqual([])
  })

  it('holds for every import', () => {
    expect(shown(across.filter(({ from, to }) => !mayImport(ownerOf(from), ownerOf(to))))).toEqual([])
  })

  it('goes through the front doors', () => {
    const doors = (owner: string) => DOORS[owner]?.split(' ').map((name) => `${owner}/${name}.ts`)
    expect(shown(across.filter(({ to }) => doors(ownerOf(to))?.includes(to) === false))).toEqual([])
    expect(Object.keys(DOORS).filter((owner) => doors(owner)!.length > MOST_DOORS)).toEqual([])
    const used = new Set(across.map(({ to }) => to))
    expect(Object.keys(DOORS).flatMap((owner) => doors(owner)!.filter((door) => !used.has(door)))).toEqual([])
  })

  it('lets only drivers.ts name drivers', () => {
    expect(shown(across.filter(({ from, to }) => isDriver(to) && from !== 'drivers.ts'))).toEqual([])
  })

  it('keeps what hooks load at once light', () => {
    const events = files.filter((file) => file.startsWith('hooks/events/'))
    const loaded = new Set(['hooks/main.ts', 'hooks/answer.ts', ...events])
    for (const file of loaded) {
      for (const { to, typeOnly, dynamic } of importsOf(file)) if (!typeOnly && !dynamic) loaded.add(to)
    }
    const heavy = [...loaded].filter(
      (file) =>
        ['index.ts', 'ralph.ts', 'drivers.ts'].includes(file) ||
        isDriver(file) ||
        /\/(journal|board)\.ts$/.test(file) ||
        /^import (?!type).* from '(?:zod(?:\/mini)?|yaml)'/m.test(textOf(file)),
    )
    expect(heavy).toEqual([])
  })

  it('reads the environment in config.ts alone', () => {
    // What a terminal can do: asked by the help, which loads nothing.
    const allowed = ['config.ts', 'cli/terminal-links.ts', 'cli/width.ts']
    expect(files.filter((file) => !allowed.includes(file) && textOf(file).includes('process.env'))).toEqual(
      [],
    )
  })

  it('opens files for writing in one place, which follows no link', () => {
    const writing =
      /\b(writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|openSync|mkdir|mkdirSync|copyFile|copyFileSync)\b/
    const imported = (file: string) =>
      [...textOf(file).matchAll(/import \{([^}]*)\} from 'node:fs(?:\/promises)?'/g)].some(([, names]) =>
        writing.test(names!),
      )
    const databases = (file: string) =>
      textOf(file).includes('new DatabaseSync(') && !/requireOwnDatabase|readOnly/.test(textOf(file))
    expect(files.filter((file) => imported(file) || databases(file)).sort()).toEqual(
      Object.keys(WRITES_ITSELF).sort(),
    )
  })
})
