import { describe, expect, it } from 'vitest'
import {
  type AgentCall,
  agentProgram,
  agentStart,
  memoryOffer,
  modelOf,
} from '../../src/loop/agent/command.ts'
import { PROGRAMS } from '../../src/loop/agent/programs/programs.ts'

const SERVER = { type: 'stdio', command: 'node', args: ['/r.js', 'mcp', '--feature=a "b"'], alwaysLoad: true }
const call = {
  mcpConfig: '/m.json',
  promptFile: '/p.md',
  servers: { ralph: SERVER },
  env: { PATH: '/bin', RALPH_HOME: '/home/r' },
}
const start = (line: string, more: Partial<AgentCall> = {}) =>
  agentStart({ ...call, agent: line.split(' '), ...more })
const lineOf = (line: string, more: Partial<AgentCall> = {}) => start(line, more).command.join(' ')

describe('the command line', () => {
  it.each([
    [
      'claude',
      'claude -p --output-format stream-json --verbose --mcp-config /m.json --permission-mode acceptEdits --allowedTools mcp__ralph',
    ],
    ['gemini', 'gemini --output-format stream-json --approval-mode auto_edit'],
    ['qwen', 'qwen --output-format stream-json --approval-mode auto-edit --mcp-config /m.json'],
    ['opencode', 'opencode run --format json'],
    [
      'copilot',
      'copilot --output-format json --no-color --no-ask-user --allow-tool=write --allow-tool=ralph --additional-mcp-config @/m.json',
    ],
    ['pi', 'pi -p --mode json --tools read,edit,write,grep,find,ls'],
  ])('%s edits files, and asks nobody', (agent, line) => {
    expect(lineOf(agent)).toBe(line)
  })

  it('of Codex carries the server, locked to this run, in settings of the run alone', () => {
    expect(start('codex').command).toEqual([
      ...['codex', 'exec', '--json', '--sandbox', 'workspace-write', '--skip-git-repo-check'],
      ...['-c', 'mcp_servers.ralph.command="node"'],
      ...['-c', 'mcp_servers.ralph.args=["/r.js","mcp","--feature=a \\"b\\""]'],
      ...['-c', 'mcp_servers.ralph.startup_timeout_sec=30'],
      // It starts servers with few variables of its own: the others have to be named.
      ...['-c', 'mcp_servers.ralph.env_vars=["RALPH_HOME"]'],
      '-',
    ])
  })

  it('of Codex never shows what a server is started with or sent, which may be secret', () => {
    const servers = {
      tracker: { command: 'tracker', env: { TRACKER_KEY: 'a-secret' } },
      remote: { url: 'https://example.org/mcp', headers: { Authorization: 'Bearer another-secret' } },
    }
    const { command, env } = start('codex', { servers })
    expect(command.join(' ')).not.toContain('secret')
    expect(command).toContain('mcp_servers.tracker.env_vars=["TRACKER_KEY"]')
    expect(command).toContain('mcp_servers.remote.url="https://example.org/mcp"')
    expect(command).toContain(
      'mcp_servers.remote.env_http_headers={ "Authorization" = "RALPH_MCP_REMOTE_0" }',
    )
    expect(env).toEqual({ TRACKER_KEY: 'a-secret', RALPH_MCP_REMOTE_0: 'Bearer another-secret' })
  })

  it('of opencode says by the environment what holds for the run, and keeps what is there', () => {
    const given = { theme: 'x', mcp: { other: { type: 'local' } }, permission: { webfetch: 'allow' } }
    const env = { OPENCODE_CONFIG_CONTENT: JSON.stringify(given) }
    const settings = JSON.parse(start('opencode', { env }).env!.OPENCODE_CONFIG_CONTENT!)
    expect(settings).toEqual({
      theme: 'x',
      mcp: {
        other: { type: 'local' },
        ralph: { type: 'local', command: ['node', '/r.js', 'mcp', '--feature=a "b"'], enabled: true },
      },
      permission: {
        bash: 'deny',
        webfetch: 'allow',
        websearch: 'deny',
        external_directory: 'deny',
        doom_loop: 'deny',
      },
    })
  })

  it.each([
    ['claude --permission-mode plan', ['--permission-mode plan'], 'acceptEdits'],
    ['codex -s danger-full-access', ['exec -s danger-full-access'], 'workspace-write'],
    ['codex -c sandbox_mode="read-only"', ['-c sandbox_mode="read-only"'], 'workspace-write'],
    ['codex exec --yolo', ['codex exec --yolo --json'], '--sandbox'],
    ['gemini --yolo', ['gemini --yolo'], 'auto_edit'],
    ['qwen --approval-mode=plan', ['--approval-mode=plan'], 'auto-edit'],
    ['opencode run --auto', ['opencode run --auto --format json'], 'run run'],
    ['copilot --plan', ['--plan'], '--allow-tool=write'],
    ['pi --tools read,bash', ['--tools read,bash'], 'read,edit'],
  ])('%s: what a person has chosen wins', (agent, kept, left) => {
    const line = lineOf(agent)
    for (const words of kept) expect(line).toContain(words)
    expect(line).not.toContain(left)
  })

  it('leaves permissions to opencode where a person has chosen how it is to ask', () => {
    const permissions = (line: string, env = {}) =>
      JSON.parse(start(line, { env }).env!.OPENCODE_CONFIG_CONTENT!).permission
    expect(permissions('opencode --auto')).toBeUndefined()
    expect(permissions('opencode --agent mine')).toBeUndefined()
    expect(permissions('opencode', { OPENCODE_PERMISSION: '{"bash":"allow"}' })).toBeUndefined()
  })

  it.each(Object.values(PROGRAMS).map(({ name }) => name))(
    '%s is told the model, unless a person names one',
    (name) => {
      expect(lineOf(name, { model: 'big' })).toContain(' --model big')
      expect(lineOf(`${name} --model own`, { model: 'big' })).not.toContain('big')
      expect(modelOf({ agent: [name, '--model=own'], model: 'big' })).toBe('own')
      expect(modelOf({ agent: [name], model: 'big' })).toBe('big')
    },
  )

  it('limits the cost where the program can', () => {
    expect(lineOf('claude', { maxCost: 1.5 })).toContain('--max-budget-usd 1.5000')
    expect(lineOf('claude --max-budget-usd 2', { maxCost: 1.5 })).not.toContain('1.5')
  })

  it.each([
    ['claude-code', 'claude-code', 'claude -p'],
    ['/opt/bin/codex', 'codex', '/opt/bin/codex exec'],
    ['C:\\bin\\Codex.CMD -m x', 'codex', 'C:\\bin\\Codex.CMD exec -m x'],
    ['npx -y @openai/codex@0.166.0 -m x', 'codex', 'npx -y @openai/codex@0.166.0 exec -m x'],
    ['npx opencode-ai run', 'opencode', 'npx opencode-ai run --format'],
    ['bunx qwen', 'qwen', 'bunx qwen --output-format'],
    ['codex-wrapper', undefined, 'codex-wrapper -p'],
    ['npx something', undefined, 'npx something -p'],
  ])('%s is the program of %s', (agent, name, begins) => {
    expect(agentProgram(agent.split(' '))?.name).toBe(name)
    expect(lineOf(agent).startsWith(begins)).toBe(true)
  })

  it('is taken as it is when it has placeholders, also of a program that we know', () => {
    const agent = ['codex', 'exec', '--prompt={prompt_file}', '{mcp_config}', '{model}']
    expect(agentStart({ ...call, agent })).toEqual({
      command: ['codex', 'exec', '--prompt=/p.md', '/m.json', ''],
    })
    expect(agentProgram(agent)).toBeUndefined()
  })
})

it.each([
  ['claude --settings mine.json --permission-mode dontAsk', 'everything'],
  ['claude --permission-mode plan', 'reading'],
  ['claude --disallowedTools Bash,mcp__ralph', 'nothing'],
  ['claude --disallowed-tools=mcp__ralph__update_feature', 'everything'],
  ['codex', 'everything'],
  ['codex --sandbox read-only', 'reading'],
  ['gemini', 'everything'],
  ['gemini --approval-mode plan', 'reading'],
  ['gemini --allowed-mcp-server-names other', 'nothing'],
  ['qwen --approval-mode=plan', 'reading'],
  ['qwen --mcp-config mine.json', 'nothing'],
  ['opencode', 'everything'],
  ['opencode --agent plan', 'reading'],
  ['copilot', 'everything'],
  ['copilot --plan', 'reading'],
  ['copilot --deny-tool=ralph', 'nothing'],
  ['pi', 'nothing'],
  ['my-agent {prompt_file} {mcp_config}', 'everything'],
  ['my-agent {prompt_file}', 'nothing'],
])('%s: of memory it can call %s', (line, offer) => {
  expect(memoryOffer(line.split(' '))).toBe(offer)
})

it('writes servers as each program reads them', () => {
  const servers = { ralph: SERVER, far: { url: 'https://example.org', headers: { A: 'b' } } }
  expect(PROGRAMS.qwen.mcpFile!(servers)).toEqual({
    mcpServers: {
      ralph: { ...SERVER, trust: true },
      far: { httpUrl: 'https://example.org', headers: { A: 'b' } },
    },
  })
  const { command, args } = SERVER
  expect(PROGRAMS.copilot.mcpFile!(servers)).toEqual({
    mcpServers: {
      ralph: { type: 'local', tools: ['*'], command, args },
      far: { type: 'http', tools: ['*'], url: 'https://example.org', headers: { A: 'b' } },
    },
  })
})
