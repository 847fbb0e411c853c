import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Feature } from '../../src/board/feature.ts'
import type { Task } from '../../src/board/task.ts'
import { filingOf } from '../../src/loop/filing.ts'
import { technologiesOf } from '../../src/loop/technologies.ts'
import { temporaryFolder } from '../support/temporary.ts'

const task = (fields: Partial<Task> = {}): Task => ({
  ...{ id: 1, title: 'The list of orders', feature: 'orders', discipline: 'general', status: 'pending' },
  ...{ acceptanceCriteria: [], blockedBy: [], priority: 3, comments: [] },
  ...fields,
})
const feature = (fields: Partial<Feature>): Feature => ({
  ...{ name: 'orders', knowledgePaths: [], contextFiles: [], dependencies: [], learnings: [] },
  ...fields,
})

async function project(files: Record<string, string>): Promise<string> {
  const folder = await temporaryFolder()
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

const SHOP = {
  'package.json': JSON.stringify({
    dependencies: { react: '^19', express: '^5', pg: '^8' },
    devDependencies: { typescript: '^6' },
  }),
}

describe('the technologies of a project', () => {
  it.each([
    ['package.json', SHOP['package.json'], ['typescript', 'react', 'express', 'postgres']],
    ['package.json', '{"dependencies":{"vue":"3"}}', ['javascript', 'vue']],
    ['package.json', '{ not json', []],
    ['package.json', '[]', ['javascript']],
    [
      'pyproject.toml',
      '[project]\ndependencies = ["Django>=5", "psycopg[binary]>=3"]',
      ['python', 'django', 'postgres'],
    ],
    ['pyproject.toml', '[tool.poetry.dependencies]\nflask = "^3"', ['python', 'flask']],
    ['pyproject.toml', '[project]\ndescription = "flask, but slower"', ['python']],
    ['requirements.txt', 'fastapi==0.1\n# django was here\ncelery', ['python', 'fastapi', 'celery']],
    [
      'Cargo.toml',
      '[dependencies]\naxum = "0.8"\n[dependencies.tokio]\nversion = "1"',
      ['rust', 'axum', 'tokio'],
    ],
    ['go.mod', 'module shop\nrequire github.com/gin-gonic/gin v1.10.0', ['go', 'gin']],
    ['Gemfile', "gem 'rails', '~> 8'", ['ruby', 'rails']],
    ['README.md', 'We use React.', []],
  ])('are what %s names: %s', async (file, text, names) => {
    expect((await technologiesOf(await project({ [file]: text }))).map(({ name }) => name)).toEqual(names)
  })

  it('are none where there is nothing to read', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'package.json'))
    expect(await technologiesOf(folder)).toEqual([])
    expect(await technologiesOf(join(folder, 'gone'))).toEqual([])
  })
})

describe('what knowledge of a task is filed under', () => {
  it.each([
    ['what the task names', task({ title: 'Slow query in PostgreSQL' }), undefined, 'postgres'],
    ['the first it names', task({ description: 'A React page over the Express API' }), undefined, 'react'],
    ['what its discipline works with', task({ discipline: 'frontend' }), undefined, 'react'],
    ['what its feature stands on', task(), feature({ dependencies: ['PostgreSQL 17'] }), 'postgres'],
    ['the language, when nothing says more', task(), undefined, 'typescript'],
    [
      'the language, when a feature names all',
      task(),
      feature({ architecture: 'React, Express' }),
      'typescript',
    ],
    [
      'the language, not what only sounds alike',
      task({ title: 'Expression editor' }),
      undefined,
      'typescript',
    ],
  ])('technology: %s', async (_what, given, of, technology) => {
    expect(await filingOf(await project(SHOP), given, of)).toMatchObject({ technology })
  })

  it('no technology when the project does not say, or says several', async () => {
    const named = task({ title: 'Add a React page', discipline: 'frontend' })
    expect(await filingOf(await project({}), named, undefined)).toEqual({
      agentType: 'frontend',
      taskType: 'feature',
      technology: undefined,
    })
    const two = await project({ 'Cargo.toml': '[package]', 'go.mod': 'module shop' })
    expect(await filingOf(two, task(), undefined)).toMatchObject({ technology: undefined })
  })

  it.each([
    ['Fix the rounding of taxes', 'bugfix'],
    ['Add a button', 'feature'],
    ['refactor: split the parser', 'refactoring'],
    ['Fixtures for the tests', undefined],
    ['Settings page', undefined],
    ['42 is the answer', undefined],
  ])('task type by the verb it begins with: %s', async (title, taskType) => {
    const filing = await filingOf(await project({}), task({ title }), undefined)
    expect(filing).toEqual({ agentType: undefined, taskType, technology: undefined })
  })
})
