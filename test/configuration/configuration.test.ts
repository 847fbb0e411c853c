import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { resolveConfig, type SettingsInput } from '../../src/config.ts'
import { openRalph } from '../../src/ralph.ts'
import { TrustStore } from '../../src/trust/trust-store.ts'
import { temporaryFolder } from '../support/temporary.ts'

async function opened({ env = {}, settings }: { env?: NodeJS.ProcessEnv; settings?: SettingsInput } = {}) {
  const folder = await temporaryFolder()
  const home = join(folder, 'home')
  mkdirSync(join(folder, '.ralph', 'db'), { recursive: true })
  mkdirSync(home)
  const files = { user: join(home, 'config.json'), project: join(folder, '.ralph', 'rag_config.json') }
  const open = async () => {
    const ralph = await openRalph({ project: folder, home, env, settings, onNotice: () => undefined })
    onTestFinished(() => ralph.close())
    return ralph
  }
  const trustAll = async () => {
    const { paths, project, demands } = await resolveConfig({ project: folder, home, env })
    await new TrustStore({ file: paths.trust, project }).trustOnly(demands.all)
  }
  return { folder, home, files, open, trustAll }
}

const write = (path: string, value: unknown) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
const read = (path: string) => readFileSync(path, 'utf8')

describe('where settings come from', () => {
  it('names the strongest place, and all others that say something', async () => {
    const { files, open } = await opened({
      env: { RALPH_MAX_SPEND: '3' },
      settings: { search: { limit: 4 } },
    })
    write(files.user, { search: { limit: 2, min_score: 0.3 }, language_model: { max_spend: 2 } })
    write(files.project, { search: { limit: 3 } })
    const { configuration } = await open()
    expect(await configuration.get('search.limit')).toMatchObject({
      value: 4,
      origin: 'given',
      kind: 'whole number',
      allowed: 'a whole number from 1 to 1000',
      mentions: [
        { origin: 'given', value: 4 },
        { origin: 'project', value: 3, source: files.project },
        { origin: 'user', value: 2, source: files.user },
      ],
    })
    expect(await configuration.get('search.minScore')).toMatchObject({ value: 0.3, origin: 'user' })
    expect(await configuration.get('language_model.max_spend')).toMatchObject({
      value: 3,
      origin: 'environment',
      source: 'RALPH_MAX_SPEND',
    })
    expect(await configuration.get('hooks.repeat')).toMatchObject({
      value: 'stop_once',
      origin: 'default',
      choices: ['stop_once', 'tell', 'off'],
      mentions: [],
    })
  })

  it('tells what the project asks for and nobody has trusted, and what counts instead', async () => {
    const { files, open, trustAll } = await opened()
    write(files.user, { embedder: { provider: 'none' } })
    write(files.project, { embedder: { provider: 'ollama' } })
    const held = await (await open()).configuration.get('embedder.provider')
    expect(held).toMatchObject({
      value: 'none',
      origin: 'user',
      mentions: [
        { origin: 'project', value: 'ollama', waitsForTrust: true },
        { origin: 'user', waitsForTrust: false },
      ],
    })
    await trustAll()
    const { configuration } = await open()
    expect(await configuration.get('embedder.provider')).toMatchObject({ value: 'ollama', origin: 'project' })
  })

  it('shows no secret, wherever it stands', async () => {
    const { files, open } = await opened({ env: { OPENAI_API_KEY: 'sk-of-the-environment-1' } })
    write(files.user, {
      embedder: { provider: 'openai' },
      language_model: { provider: 'ollama', api_key: 'very-secret-1' },
      storage: { url: 'postgres://ann:very-secret-2@localhost/ralph' },
      index: { url: 'https://very-secret-3@example.org:6333' },
    })
    const { configuration } = await open()
    const report = await configuration.list()
    expect(JSON.stringify(report)).not.toMatch(/very-secret|sk-of/)
    const shown = Object.fromEntries(report.settings.map(({ key, shown }) => [key, shown]))
    expect(shown).toMatchObject({
      'embedder.api_key': '(set, not shown)',
      'language_model.api_key': '(set, not shown)',
      'storage.url': 'postgres://ann:***@localhost/ralph',
    })
    expect(await configuration.get('embedder.api_key')).toMatchObject({
      origin: 'environment',
      source: 'OPENAI_API_KEY',
      afterRestart: false,
    })
  })

  it('tells where an address that Ollama itself goes by comes from', async () => {
    const { files, open } = await opened({ env: { OLLAMA_HOST: 'gpu:4711' } })
    write(files.user, { embedder: { provider: 'ollama' } })
    const { configuration } = await open()
    expect(await configuration.get('embedder.url')).toMatchObject({
      value: 'http://gpu:4711',
      source: 'OLLAMA_HOST',
      afterRestart: false,
    })
    expect((await configuration.get('language_model.url')).shown).toBe('')
  })

  it('goes on with the other places when a file breaks while it is open', async () => {
    const { files, open } = await opened()
    write(files.user, { search: { limit: 2 } })
    const { configuration } = await open()
    writeFileSync(files.project, '{ "search": ')
    const { settings, troubles } = await configuration.list()
    expect(troubles).toMatchObject([{ source: files.project, hint: expect.stringContaining('Mend') }])
    expect(settings.find(({ key }) => key === 'search.limit')).toMatchObject({ value: 2, origin: 'user' })
  })

  it('describes every setting as the documentation lists it', async () => {
    const { open } = await opened()
    const { settings } = await (await open()).configuration.list()
    const page = read(fileURLToPath(new URL('../../docs/configuration.md', import.meta.url)))
    const listed = [...page.matchAll(/^\| `([\w.]+)` \|([^|]*)\|/gm)]
    expect(listed.map(([, key]) => key)).toEqual(settings.map(({ key }) => key))
    expect(
      listed.map(([, , variables]) => [...variables!.matchAll(/`(\w+)`/g)].map(([, one]) => one)),
    ).toEqual(settings.map(({ variables }) => variables))
    expect(settings.filter(({ about }) => about.length < 10)).toEqual([])
  })

  it('says what somebody may have meant who asks for one that is not there', async () => {
    const { open } = await opened()
    const { configuration } = await open()
    await expect(configuration.get('min_score')).rejects.toMatchObject({
      code: 'usage',
      hint: 'Did you mean search.min_score?',
    })
    await expect(configuration.get('__proto__')).rejects.toMatchObject({
      hint: expect.stringContaining('list'),
    })
  })
})

describe('changing a setting', () => {
  it('makes the file, which only its user can read', async () => {
    const { files, open } = await opened()
    const { configuration } = await open()
    const { changed, file, setting } = await configuration.set('search.min_score', '0.5', 'user')
    expect({ changed, file }).toEqual({ changed: true, file: files.user })
    expect(setting).toMatchObject({ value: 0.5, origin: 'user', afterRestart: true })
    expect(JSON.parse(read(files.user))).toEqual({ search: { min_score: 0.5 } })
    if (process.platform !== 'win32') expect(statSync(files.user).mode & 0o777).toBe(0o600)
    expect((await (await open()).configuration.get('search.min_score')).afterRestart).toBe(false)
  })

  it('leaves the rest of the file as somebody wrote it', async () => {
    const { files, open } = await opened()
    writeFileSync(files.project, '{\n    "loop": {"gate": "review",   "reviewEvery": 3},\n\t"search": {}\n}')
    const { configuration } = await open()
    await configuration.set('loop.review_every', '5', 'project')
    await configuration.set('search.limit', '7', 'project')
    expect(read(files.project)).toContain('"loop": {"gate": "review",   "reviewEvery": 5},')
    expect(JSON.parse(read(files.project))).toEqual({
      loop: { gate: 'review', reviewEvery: 5 },
      search: { limit: 7 },
    })
    const again = await configuration.set('search.limit', '7', 'project')
    expect(again.changed).toBe(false)
  })

  it('takes one away, and its group with the last of it', async () => {
    const { files, open } = await opened()
    write(files.user, { search: { limit: 7, min_score: 0.5 }, loop: { gate: 'review' } })
    const { configuration } = await open()
    expect((await configuration.unset('search.limit', 'user')).setting).toMatchObject({ origin: 'default' })
    expect(JSON.parse(read(files.user))).toEqual({ search: { min_score: 0.5 }, loop: { gate: 'review' } })
    await configuration.unset('loop.gate', 'user')
    expect(JSON.parse(read(files.user))).toEqual({ search: { min_score: 0.5 } })
    expect((await configuration.unset('loop.gate', 'user')).changed).toBe(false)
  })

  it.each([
    ['search.limit', '0', 'search.limit must be a whole number from 1 to 1000'],
    ['search.limit', '2.5', 'search.limit must be a whole number from 1 to 1000'],
    ['search.limit', '', 'search.limit must be a whole number from 1 to 1000'],
    ['search.min_score', 'much', 'search.min_score must be a number from 0 to 1'],
    ['loop.time_limit_minutes', '0', 'loop.time_limit_minutes must be a number above 0'],
    ['loop.stagnation_limit', '-1', 'loop.stagnation_limit must be a whole number of at least 1'],
    ['embedder.patience_seconds', '900', 'embedder.patience_seconds must be a number above 0, at most 600'],
    ['embedder.provider', 'magic', 'embedder.provider must be one of local, ollama, openai, none'],
    ['embedder.url', 'not one', 'embedder.url must be an address, e.g. http://127.0.0.1:6333'],
    ['index.tenants', 'perhaps', 'index.tenants must be true or false'],
    ['loop.agent', '', 'loop.agent must be a command with its arguments, or a JSON list of texts'],
    ['loop.agent', 'sh -c "a b"', 'loop.agent must be a command with its arguments, or a JSON list of texts'],
    ['language_model.prices', '[{"model":"x"}]', 'language_model.prices must be a JSON list'],
  ])('refuses %s = %j, and writes nothing', async (key, text, message) => {
    const { files, open } = await opened()
    const { configuration } = await open()
    await expect(configuration.set(key, text, 'user')).rejects.toMatchObject({
      code: 'usage',
      message,
    })
    expect(existsSync(files.user)).toBe(false)
  })

  it.each([
    ['index.sidecar', 'on', { index: { sidecar: true } }],
    ['loop.agent', 'claude --verbose', { loop: { agent: ['claude', '--verbose'] } }],
    ['loop.agent', '["sh", "-c", "a b"]', { loop: { agent: ['sh', '-c', 'a b'] } }],
    [
      'language_model.prices',
      '[{"model": "own", "input": 1, "output": 2}]',
      { language_model: { prices: [{ model: 'own', input: 1, output: 2 }] } },
    ],
  ])('takes %s = %j as people type it', async (key, text, expected) => {
    const { files, open } = await opened()
    await (await open()).configuration.set(key, text, 'user')
    expect(JSON.parse(read(files.user))).toEqual(expected)
  })

  it('in the project waits for trust where it would send or start something', async () => {
    const { open } = await opened()
    const { setting } = await (await open()).configuration.set('embedder.provider', 'openai', 'project')
    expect(setting).toMatchObject({
      origin: 'default',
      mentions: [{ origin: 'project', value: 'openai', waitsForTrust: true }],
    })
  })

  it('is refused to an agent', async () => {
    const { files, open } = await opened({ env: { CLAUDECODE: '1' } })
    const { configuration } = await open()
    await expect(configuration.set('search.limit', '5', 'user')).rejects.toThrow(
      /an agent cannot change settings/,
    )
    await expect(configuration.unset('search.limit', 'user')).rejects.toThrow(/an agent cannot/)
    expect(existsSync(files.user)).toBe(false)
  })

  it('refuses a project without memory, and a broken file, which it leaves alone', async () => {
    const { folder, home, files, open } = await opened()
    const bare = join(folder, 'bare')
    mkdirSync(bare)
    const ralph = await openRalph({ project: bare, home, env: {}, onNotice: () => undefined })
    onTestFinished(() => ralph.close())
    await expect(ralph.configuration.set('search.limit', '5', 'project')).rejects.toMatchObject({
      code: 'not_found',
      hint: expect.stringContaining('ralph init'),
    })
    const { configuration } = await open()
    writeFileSync(files.user, '{ "search": ')
    await expect(configuration.set('search.limit', '5', 'user')).rejects.toThrow(/not a JSON object/)
    expect(read(files.user)).toBe('{ "search": ')
  })

  it.skipIf(process.platform === 'win32')(
    "goes through the user's own link, and through none of a project",
    async () => {
      const { folder, files, open } = await opened()
      const dotfiles = join(folder, 'dotfiles.json')
      writeFileSync(dotfiles, '{}\n')
      symlinkSync(dotfiles, files.user)
      const { configuration } = await open()
      await configuration.set('search.limit', '5', 'user')
      expect(JSON.parse(read(dotfiles))).toEqual({ search: { limit: 5 } })
      symlinkSync(dotfiles, files.project)
      await expect(configuration.set('search.limit', '6', 'project')).rejects.toThrow(/link/)
      expect(JSON.parse(read(dotfiles))).toEqual({ search: { limit: 5 } })
    },
  )

  it('loses nothing when two change different settings at once', async () => {
    const { files, open } = await opened()
    const [one, two] = [await open(), await open()]
    await Promise.all([
      one.configuration.set('search.limit', '5', 'user'),
      two.configuration.set('search.min_score', '0.6', 'user'),
      one.configuration.set('loop.gate', 'review', 'user'),
    ])
    expect(JSON.parse(read(files.user))).toEqual({
      search: { limit: 5, min_score: 0.6 },
      loop: { gate: 'review' },
    })
  })
})
