/** What can be read with `ralph help TOPIC`: each is the page of that name in docs/. */
export const HELP_TOPICS: { readonly [name: string]: string } = {
  words: 'what feature, iteration, learning, gate… mean here',
  setup: 'ralph init, ralph uninstall, the plugin for Claude Code',
  configuration: 'every setting, and where it can be set',
  agents: 'Claude Code, Codex, Gemini, opencode, Qwen, Copilot, pi: what works with which',
  hooks: 'sessions of Claude Code that you drive yourself',
  mcp: 'memory as tools for any agent',
  loop: 'an agent over the tasks of a board, and gates',
  conversations: 'what was said, imported and found again',
  documents: 'your own files and folders, found beside conversations',
  effect: 'does memory help in your project? what it costs to find out, and when there is an answer',
  dashboard: 'the page in the browser: views, keys, who gets in',
  growing: 'Ollama, OpenAI, Qdrant, PostgreSQL: when and how',
  health: 'ralph status and ralph doctor: what they show and mend',
  json: 'what every command prints with --json',
  platforms: 'where it runs',
  library: 'for builders of agents',
  architecture: 'how the code is laid out',
  quality: 'what is found and what is not shown, measured',
  performance: 'what it costs, beside what one would pick instead',
  soak: 'what was acknowledged and what was found after kills, full disks, torn files',
  isolation: 'what was asked from every place for what belongs elsewhere',
  attacks: 'what is tried against it, and what got through',
  'supply-chain': 'what is in the package, whose it is, how to check it',
}

/** Other words for the same pages. */
export const TOPIC_NAMES: { readonly [word: string]: string } = {
  glossary: 'words',
  settings: 'configuration',
  plugin: 'setup',
  security: 'attacks',
  licences: 'supply-chain',
  licenses: 'supply-chain',
  sbom: 'supply-chain',
}
