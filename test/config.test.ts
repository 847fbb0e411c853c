import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ralphHome, resolveConfig } from '../src/config.ts'
import { DEFAULT_SETTINGS } from '../src/settings.ts'
import { mergeLayers } from '../src/settings-schema.ts'
import { TrustStore } from '../src/trust/trust-store.ts'
import { temporaryFolder } from './support/temporary.ts'

async function folders() {
  const root = await temporaryFolder()
  const project = join(root, 'project')
  const home = join(root, 'home')
  await mkdir(join(project, '.ralph', 'db'), { recursive: true })
  await mkdir(join(project, 'src', 'deep'), { recursive: true })
  await mkdir(home)
  const projectFile = (value: unknown) =>
    writeFile(join(project, '.ralph', 'rag_config.json'), JSON.stringify(value))
  const userFile = (value: unknown) => writeFile(join(home, 'config.json'), JSON.stringify(value))
  const resolve = (request: Parameters<typeof resolveConfig>[0] = {}) =>
    resolveConfig({ project, home, env: {}, ...request })
  const trust = async () => {
    const { paths, project, demands } = await resolve()
    return new TrustStore({ file: paths.trust, project }).trustOnly(demands.all)
  }
  return { project, home, projectFile, userFile, resolve, trust }
}

describe("the user's folder", () => {
  const nobody = () => undefined

  it('is where RALPH_HOME says, unless that is empty', () => {
    const userFolder = () => '/home/ann'
    expect(ralphHome({ env: { RALPH_HOME: 'data' }, cwd: '/shop', userFolder })).toBe('/shop/data')
    expect(ralphHome({ env: { RALPH_HOME: '' }, cwd: '/work', userFolder })).toBe('/home/ann/.ralph')
    expect(ralphHome({ env: { RALPH_HOME: '/data' }, userFolder: nobody })).toBe('/data')
  })

  it('is asked for where the system names none', () => {
    expect(() => ralphHome({ env: {}, userFolder: nobody })).toThrow(
      expect.objectContaining({ code: 'not_found', hint: expect.stringContaining('RALPH_HOME') }),
    )
  })
})

describe('configuration', () => {
  it('has the same defaults with and without a setting', () => {
    expect(mergeLayers([])).toEqual(DEFAULT_SETTINGS)
  })

  it('needs nothing', async () => {
    const { resolve } = await folders()
    expect((await resolve()).settings).toMatchObject({
      embedder: { provider: 'local' },
      index: { driver: 'sqlite' },
      storage: { driver: 'sqlite' },
      languageModel: { provider: 'none' },
      search: { limit: 20, minScore: 0.4 },
    })
  })

  it('takes flag over environment over project file over user file, setting by setting', async () => {
    const { resolve, projectFile, userFile, trust } = await folders()
    await userFile({ search: { limit: 1, min_score: 0.1 }, embedder: { model: 'user' } })
    await projectFile({ search: { limit: 2 }, embedder: { model: 'project', provider: 'ollama' } })
    await trust()
    const env = { RALPH_EMBEDDER_MODEL: 'environment', RALPH_EMBEDDER: 'openai' }
    expect((await resolve()).settings).toMatchObject({
      search: { limit: 2, minScore: 0.1 },
      embedder: { model: 'project', provider: 'ollama' },
    })
    expect((await resolve({ env })).settings.embedder).toMatchObject({
      model: 'environment',
      provider: 'openai',
    })
    expect(
      (await resolve({ env, settings: { embedder: { model: 'flag' } } })).settings.embedder,
    ).toMatchObject({
      model: 'flag',
      provider: 'openai',
    })
  })

  it('reads switches from the environment, and refuses what is none', async () => {
    const { resolve } = await folders()
    const env = { RALPH_QDRANT_SIDECAR: 'on', RALPH_QDRANT_TENANTS: '0' }
    expect((await resolve({ env })).settings.index).toMatchObject({ sidecar: true, tenants: false })
    await expect(resolve({ env: { RALPH_QDRANT_SIDECAR: 'maybe' } })).rejects.toThrow(
      /RALPH_QDRANT_SIDECAR.*index\.sidecar/,
    )
  })

  it('finds the project from a folder inside it', async () => {
    const { project, home } = await folders()
    const inside = await resolveConfig({ home, env: {}, cwd: join(project, 'src', 'deep') })
    expect(inside.project).toBe((await resolveConfig({ project, home, env: {} })).project)
  })

  it.each([
    [{ serch: {} }, /rag_config\.json.*serch/],
    [{ search: { limit: 0 } }, /rag_config\.json: search\.limit/],
    [{ search: { min_score: 2 } }, /search\.min_score/],
    [{ embedder: { provider: 'magic' } }, /embedder\.provider/],
    [[], /not a JSON object/],
  ])('names file and key of %j', async (value, message) => {
    const { resolve, projectFile } = await folders()
    await projectFile(value)
    await expect(resolve()).rejects.toThrow(message)
  })

  it('says which file is no JSON, and what to do', async () => {
    const { resolve, home } = await folders()
    await writeFile(join(home, 'config.json'), '{ "a": ')
    await expect(resolve()).rejects.toThrow(
      expect.objectContaining({
        message: expect.stringContaining('config.json'),
        hint: expect.stringContaining('defaults'),
      }),
    )
  })

  it.each([
    ['{\n  // how many\n  "search": { "limit": 5 }\n}', 'line 2 column 3'],
    ['{\n  "search": { "limit": 5 },\n}', 'line 3 column 1'],
  ])('says of %j where it is no JSON, and that comments and such commas are none', async (text, place) => {
    const { resolve, home } = await folders()
    await writeFile(join(home, 'config.json'), text)
    await expect(resolve()).rejects.toThrow(
      expect.objectContaining({
        message: expect.stringContaining(place),
        hint: expect.stringContaining('Take out comments, and commas before a closing bracket'),
      }),
    )
  })

  it('uses the key of a service only when that service is configured', async () => {
    const { resolve } = await folders()
    const env = { OPENAI_API_KEY: 'secret' }
    expect((await resolve({ env })).settings.embedder.apiKey).toBeUndefined()
    expect(
      (await resolve({ env, settings: { embedder: { provider: 'openai' } } })).settings.embedder.apiKey,
    ).toBe('secret')
  })

  it('finds Ollama where its own programs do, unless another address is set', async () => {
    const { resolve } = await folders()
    const env = { OLLAMA_HOST: '0.0.0.0:4711' }
    const settings = {
      embedder: { provider: 'ollama' as const },
      languageModel: { provider: 'ollama' as const, url: 'http://127.0.0.1:1' },
    }
    expect((await resolve({ env })).settings.embedder.url).toBeUndefined()
    const { embedder, languageModel } = (await resolve({ env, settings })).settings
    expect([embedder.url, languageModel.url]).toEqual(['http://127.0.0.1:4711', 'http://127.0.0.1:1'])
  })

  it('refuses a project that does not exist', async () => {
    const { project, resolve } = await folders()
    await expect(resolve({ project: join(project, 'nowhere') })).rejects.toThrow(/does not exist/)
  })
})
