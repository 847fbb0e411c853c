import { execFileSync } from 'node:child_process'
import {
  cpSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { HOOK_SCOPES, hooksFile, installHooks } from '../../src/agent-config/claude-hooks.ts'
import { mcpConfigFor, writeMcpConfig } from '../../src/agent-config/mcp-config.ts'
import { chooseFeature, currentFeature } from '../../src/board/current-feature.ts'
import { isRalphError, messageOf } from '../../src/errors.ts'
import { workOutFacts } from '../../src/hooks/facts/work-out.ts'
import { SessionNotes } from '../../src/hooks/session-notes.ts'
import { projectFileHasher } from '../../src/learnings/anchors.ts'
import { RunFiles } from '../../src/loop/run-file.ts'
import { technologiesOf } from '../../src/loop/technologies.ts'
import { setUpProject } from '../../src/project-setup.ts'
import { openRalph } from '../../src/ralph.ts'
import { readReceipts } from '../../src/receipts/read.ts'
import { makeCheckout } from '../support/checkout.ts'
import { newIteration } from '../support/records.ts'

/**
 * Run as a process of its own: whatever waits for a named pipe waits for good. Lives once in a sound project, then once more for each
 * file that was there and each odd thing in its place; a line for each.
 */
const [folder] = process.argv.slice(2) as [string]
const sound = join(folder, 'sound')
const outside = join(folder, 'outside')
const TARGET = join(outside, 'start-up')
const UNTOUCHED = '{"export": "PATH"}\n'

const ANYWHERE: Record<string, (path: string) => void> = {
  'link out': (path) => symlinkSync(TARGET, path),
  'dangling link': (path) => symlinkSync(join(outside, 'made-by-ralph'), path),
  'named pipe': (path) => execFileSync('mkfifo', [path]),
}
/** Not in the cache as well: that would take long and tell the same. */
const OUTSIDE_OF_CACHE: typeof ANYWHERE = {
  ...ANYWHERE,
  'link to itself': (path) => symlinkSync(path, path),
  folder: (path) => mkdirSync(join(path, 'inside'), { recursive: true }),
  'second name': (path) => linkSync(TARGET, path),
}

async function live(project: string): Promise<string[]> {
  const home = join(folder, 'home')
  const odd: string[] = []
  const attempt = async (name: string, work: () => unknown) => {
    try {
      await work()
    } catch (error) {
      // Refusing is fine, when it is said with the next step; a hook's notes say nothing to nobody.
      if (!isRalphError(error) || !error.hint) odd.push(`${name}: ${messageOf(error)}`)
    }
  }
  await attempt('open', async () => {
    const env = { RALPH_EMBEDDER: 'none', HOME: folder }
    const ralph = await openRalph({ project, home, env, onNotice: () => undefined })
    const { config, board, featureMemory: memory } = ralph
    const own = (path: string) => join(project, '.ralph', path)
    await attempt('init', () => setUpProject(config))
    await attempt('add feature', () => board.addFeature({ name: `auth-${Date.now()}` }))
    await attempt('features', () => board.features())
    await attempt('tasks', () => board.tasks())
    await attempt('disciplines', () => board.disciplines())
    await attempt('snapshot', async () => {
      const taken = await board.guard.snapshot()
      await board.guard.check(taken, { feature: 'general', task: 1, review: false })
    })
    await attempt('record', () =>
      memory.recordIteration(newIteration({ feature: 'general', summary: 'Built it' })),
    )
    await attempt('search', () => memory.search('general', 'built'))
    await attempt('files', () => memory.files('general'))
    await attempt('recent', () => memory.recent('general'))
    await attempt('verify', () => memory.verify('general'))
    await attempt('forget', () => memory.forget('general', { iterations: [1] }))
    await attempt('receipt', () =>
      ralph.receipts.append({ surface: 'loop', feature: 'general', items: [], tokens: 0 } as never),
    )
    await attempt('receipts', () => readReceipts(config.paths.receipts))
    await attempt('choose', () => chooseFeature(project, 'general'))
    await attempt('current', () => currentFeature({ project, features: ['general'] } as never))
    await attempt('facts', () => workOutFacts(config, 'general'))
    await attempt('notes', () => new SessionNotes(own('cache/hooks/sessions'), 'one').touch('a.ts'))
    await attempt('runs', async () => {
      await new RunFiles(own('cache/loop')).prepare()
      await new RunFiles(own('cache/loop')).unfinished()
    })
    await attempt('technologies', () => technologiesOf(project))
    await attempt('anchors', () => projectFileHasher(project)('package.json'))
    await attempt('doctor', () => ralph.health.examine({ fix: true }))
    await attempt('status', () => ralph.health.status())
    for (const scope of HOOK_SCOPES.filter((one) => one !== 'user')) {
      const file = hooksFile(scope, { project, claudeDir: join(folder, '.claude') })
      await attempt(`hooks ${scope}`, () => installHooks({ file, project, home }))
    }
    for (const client of ['claude-code', 'codex'] as const)
      await attempt(`mcp ${client}`, () =>
        writeMcpConfig(mcpConfigFor({ client, project, userHome: folder }), home),
      )
    await ralph.close()
  })
  return odd
}

function unharmed(): boolean {
  return readdirSync(outside).join() === 'start-up' && readFileSync(TARGET, 'utf8') === UNTOUCHED
}

mkdirSync(outside, { recursive: true })
makeCheckout(sound)
writeFileSync(TARGET, UNTOUCHED)
writeFileSync(join(sound, 'package.json'), '{"dependencies": {"express": "5"}}\n')
const inSound = await live(sound)
console.log(JSON.stringify({ file: '', oddity: 'nothing', odd: inSound, unharmed: unharmed() }))
const files = readdirSync(sound, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name !== 'HEAD')
  .map((entry) => join(entry.parentPath, entry.name).slice(sound.length + 1))
for (const file of [...files, '.ralph/rag_config.json', '.ralph/db/memory/general.jsonl.torn']) {
  for (const [oddity, make] of Object.entries(file.includes('cache') ? ANYWHERE : OUTSIDE_OF_CACHE)) {
    console.error(`${file}: ${oddity}`)
    const project = join(folder, 'clone')
    cpSync(sound, project, { recursive: true })
    const path = join(project, file)
    rmSync(path, { force: true })
    mkdirSync(dirname(path), { recursive: true })
    make(path)
    const odd = await live(project)
    console.log(JSON.stringify({ file, oddity, odd, unharmed: unharmed() }))
    rmSync(project, { recursive: true, force: true })
    if (!unharmed()) {
      rmSync(outside, { recursive: true })
      mkdirSync(outside)
      writeFileSync(TARGET, UNTOUCHED)
    }
  }
}
