import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { withFileLock } from '../../src/files/file-lock.ts'
import { loopLock } from '../../src/loop/loop-lock.ts'
import { AGENT_NAMES, AGENTS } from '../../src/transcripts/agents.ts'
import { prompt, says } from '../conversation-memory/session-lines.ts'
import { runRalph } from '../support/ralph.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** As people keep them: comments, tabs, line ends of Windows, no end of line. */
const ODD_SETTINGS = '{\r\n\t// mine\r\n\t"hooks": {"Stop": [ ]},\r\n  "a":1,}'
const ODD_SERVERS = '{ "mcpServers" : { "x": {"command":"y"} } , "z":[1,\n2] } // odd'
const ODD_WORDS = '# Ours\r\n\r\nBe kind.'
const ODD_TOML = '# mine\nmodel = "o3" # yes\n\n[mcp_servers.x]\ncommand = "y"'

let root: string
let project: string
let user: string
beforeEach(async () => {
  root = await temporaryFolder()
  project = join(root, 'shop')
  user = join(root, 'user')
  mkdirSync(user)
  mkdirSync(project)
  spawnSync('git', ['init', '--quiet'], { cwd: project })
})

/** Programs that the machine has besides Node and git are no part of it. */
const searchPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter(
    (folder) =>
      ![...AGENT_NAMES.map((name) => AGENTS[name].program), 'cursor', 'code', 'ralph'].some((name) =>
        existsSync(join(folder, name)),
      ),
  )
  .join(delimiter)

const ralph = (args: string[], { cwd = project, env = {} }: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) =>
  runRalph(args, {
    cwd,
    home: user,
    env: { RALPH_HOME: join(user, '.ralph'), RALPH_EMBEDDER: 'none', PATH: searchPath, ...env },
  })

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** Every file and folder with its bytes. */
function tree(): Map<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name)
    return [path.slice(root.length), entry.isDirectory() ? 'folder' : readFileSync(path, 'latin1')] as const
  })
  return new Map(entries.sort())
}

/** A session of Claude Code in the project, as it leaves it on the disk. */
function pastSession(): void {
  const here = { cwd: project, sessionId: 'session-1' }
  const lines = [
    prompt('Why does the checkout round the total twice?', here),
    says('Both the cart and the invoice round. Round in the invoice alone.', here),
  ]
  const folder = project.replace(/[^a-zA-Z0-9]/g, '-')
  put(join('user', '.claude', 'projects', folder, 'session-1.jsonl'), `${lines.join('\n')}\n`)
}

interface Shown {
  steps: { name: string; outcome: string; problems: { message: string }[] }[]
  remembers: { asked: string } | null
}
const outcomes = (shown: unknown) =>
  Object.fromEntries((shown as Shown).steps.map(({ name, outcome }) => [name, outcome]))

describe('setting up and taking out', { timeout: 120_000 }, () => {
  it('finds what is there, does what was asked for, and leaves no trace when it is undone', async () => {
    pastSession()
    put('shop/.claude/settings.local.json', ODD_SETTINGS)
    put('shop/.mcp.json', ODD_SERVERS)
    put('shop/.codex/config.toml', ODD_TOML)
    put('shop/AGENTS.md', ODD_WORDS)
    put('shop/.gemini/settings.json', ODD_SETTINGS)
    for (const folder of ['.gemini/tmp', '.qwen', '.copilot', '.pi/agent', '.local/share/opencode'])
      mkdirSync(join(user, folder), { recursive: true })
    mkdirSync(join(project, '.cursor'))
    const before = tree()

    const made = await ralph(['init', '--yes'])
    expect(made.code).toBe(0)
    expect(made.stdout).toContain(
      'found: git · Claude Code, Cursor, Codex, Gemini CLI, Qwen Code, GitHub Copilot CLI · 1 past session',
    )
    expect(made.stdout).toMatch(
      /It remembers already.*you asked\n {2}Why does the checkout round the total twice\?/,
    )
    expect(made.stdout).toContain('Round in the invoice alone.')
    expect(made.stdout).toMatch(/git add .*\.mcp\.json/)
    // What it advises works: git refuses to add what it was told to leave out.
    const advised = /git (add (?:\S+ )+)/.exec(made.stdout)![1]!.trim().split(' ')
    const added = spawnSync('git', [...advised, '--dry-run'], { cwd: project, encoding: 'utf8' })
    expect(added).toMatchObject({ status: 0, stderr: '' })
    const files = ['.mcp.json', '.cursor/mcp.json', '.codex/config.toml', '.github/mcp.json', 'AGENTS.md']
    for (const name of files) {
      const text = readFileSync(join(project, name), 'utf8')
      expect(text).toContain('ralph')
      expect(text).not.toContain(root)
      expect(text).not.toContain(dirname(process.execPath))
    }
    const { stdout: status } = spawnSync('git', ['status', '--short', '-uall'], {
      cwd: project,
      encoding: 'utf8',
    })
    expect(status).toContain('.ralph/project.json')
    expect(status).not.toMatch(/settings\.local\.json|hooks|plugin|extensions/)

    const after = tree()
    const again = await ralph(['init', '--yes', '--json'])
    expect(outcomes(again.json)).toEqual({
      install: 'already',
      board: 'already',
      hooks: 'already',
      mcp: 'already',
      // Nobody has asked for it by its name.
      trust: 'not_asked',
      instructions: 'already',
      import: 'already',
    })
    expect((again.json as Shown).remembers?.asked).toBe('Why does the checkout round the total twice?')
    const inProject = (shown: Map<string, string>) => [...shown].filter(([path]) => path.startsWith('/shop/'))
    expect(inProject(tree())).toEqual(inProject(after))

    const out = await ralph(['uninstall'])
    expect(out).toMatchObject({ code: 0 })
    expect(out.stdout).toMatch(/memory is kept: 1 conversation\n.*ralph uninstall --memory/)
    expect(inProject(tree())).toEqual(inProject(before))
    const gone = await ralph(['uninstall', '--memory', '--json'])
    expect(gone.json).toMatchObject({ memory: 'deleted', forgotten: { conversations: 1 }, home: 'removed' })
    expect(tree()).toEqual(before)
    expect((await ralph(['uninstall'])).stdout).toContain('There is nothing of Ralph Memory')
  })

  it('imports nothing where nothing is, and takes nothing out while a loop runs', async () => {
    const made = await ralph(['init', '--import', '--hooks'])
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(made.stdout).toContain('no agent has kept sessions of this project')
    expect(made.stdout).not.toContain('wait')
    const whileLooping = <T>(work: () => Promise<T>) =>
      withFileLock(loopLock(join(project, '.ralph', 'cache')), work)
    await whileLooping(async () => undefined) // its file stays
    const before = tree()
    const refused = await whileLooping(() => ralph(['uninstall', '--memory', '--yes', '--json']))
    expect(refused).toMatchObject({ code: 1, json: { error: { code: 'conflict' } } })
    expect(tree()).toEqual(before)
    expect(await ralph(['uninstall', '--yes'])).toMatchObject({ code: 0 })
    expect(existsSync(join(project, '.ralph'))).toBe(false)
  })

  it('does nothing outside of .ralph that nobody asked for, and keeps what somebody put there', async () => {
    pastSession()
    const made = await ralph(['init', '--no-mcp', '--json'])
    expect(outcomes(made.json)).toEqual({
      install: 'already',
      board: 'done',
      hooks: 'not_asked',
      mcp: 'declined',
      trust: 'nothing',
      instructions: 'nothing',
      import: 'not_asked',
    })
    expect((made.json as Shown).remembers).toBeNull()
    expect(readdirSync(project).sort()).toEqual(['.git', '.ralph'])
    await ralph(['feature', 'add', 'auth'])
    const kept = await ralph(['uninstall', '--json'])
    expect(kept.json).toMatchObject({ memory: 'kept', files: [], held: { files: ['db/features.yaml'] } })
    expect(existsSync(join(project, '.ralph', 'project.json'))).toBe(true)
    const refused = await ralph(['uninstall', '--memory'], { env: { CLAUDECODE: '1' } })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('an agent cannot uninstall') })
    expect(existsSync(join(project, '.ralph'))).toBe(true)
  })

  it('leaves nothing behind of a project that was worked in', async () => {
    pastSession()
    const before = tree()
    await ralph(['init', '--yes'])
    await ralph(['feature', 'add', 'auth'])
    await ralph(['task', 'add', 'Build the form', '--feature', 'auth'])
    await ralph(['learnings', 'add', 'Use the pool', '--feature', 'auth', '--reason', 'it ran out'])
    await ralph(['feature', 'use', 'auth'])
    expect((await ralph(['undo'])).code).toBe(0)
    const gone = await ralph(['uninstall', '--memory', '--json'])
    expect(gone.json).toMatchObject({ memory: 'deleted', home: 'removed' })
    expect(tree()).toEqual(before)
  })

  it('forgets one project of several, and where it lay', async () => {
    pastSession()
    const other = join(root, 'other')
    mkdirSync(other)
    await ralph(['init', '--yes', '--project', other])
    await ralph(['task', 'add', 'Stay', '--project', other])
    await ralph(['init', '--yes'])
    await ralph(['task', 'add', 'Go'])
    const gone = await ralph(['uninstall', '--memory', '--json'])
    expect(gone.json).toMatchObject({ memory: 'deleted', home: 'kept' })
    const kept = [...tree()].filter(([path]) =>
      /^.user.\.ralph.(?:projects\.json|changes|learnings)/.test(path),
    )
    expect(kept.map(([, text]) => text).join('')).not.toContain('"Go"')
    expect(readFileSync(join(user, '.ralph', 'projects.json'), 'utf8')).not.toContain(project)
    expect((await ralph(['undo', '--list', '--json', '--project', other])).json).toMatchObject({
      changes: [{ label: 'task add Stay' }],
    })
  })

  it('says what stands in its way, and leaves that as it is', async () => {
    put('shop/.claude/settings.local.json', '{ "hooks": ')
    put('shop/.cursor/mcp.json', 'nonsense')
    const before = tree()
    mkdirSync(join(user, '.claude'))
    const made = await ralph(['init', '--yes'])
    expect(made).toMatchObject({ code: 1 })
    expect(made.stdout).toMatch(
      /✗ hooks +not done\n.*settings\.local\.json: not valid JSON.*\n.*→ Mend the file/,
    )
    expect(made.stdout).toMatch(/✗ mcp .*\n +\+ \.mcp\.json\n.*\.cursor\/mcp\.json: not valid JSON/)
    expect(made.stdout).toContain('Nothing is remembered yet')
    for (const name of ['.claude/settings.local.json', '.cursor/mcp.json'])
      expect(readFileSync(join(project, name), 'utf8')).toBe(before.get(join('/shop', name)))
  })

  it('makes no project of the home folder, and none by a typing mistake', async () => {
    put('user/.gitconfig', '')
    const before = tree()
    const refused = await ralph(['init', '--yes'], { cwd: user })
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is your home folder[\s\S]*→ .*cd /),
    })
    // Nobody is sent to a command that refuses them.
    for (const words of [['status'], ['search', 'x'], ['doctor']]) {
      const said = await ralph(words, { cwd: user })
      expect(said.stdout + said.stderr).toContain('cd my-project && ralph init')
    }
    const above = await ralph(['init', '--yes', '--project', root])
    expect(above.stderr).toContain('holds your home folder')
    const out = await ralph(['uninstall', '--memory'], { cwd: user })
    expect(out).toMatchObject({ code: 1, stderr: expect.stringContaining('is your own folder') })
    const typo = await ralph(['init', '--hoks'])
    expect(typo).toMatchObject({ code: 2, stderr: expect.stringMatching(/Did you mean .--hooks/) })
    expect(tree()).toEqual(before)
  })
})
