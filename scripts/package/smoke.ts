/** The installed package in the hands of somebody new: each thing that we promise on the first page, once. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMadeForThisSystem } from '../../src/embedding/local/shipped-onnxruntime.ts'
import type { Newcomer } from './newcomer.ts'
import { addressOf, answersOf, visited } from './talking.ts'

/** One run of an agent, as its program prints it. */
const RUN = [
  {
    type: 'system',
    subtype: 'init',
    cwd: '/shop',
    session_id: 's-1',
    tools: ['Edit'],
    model: 'claude-sonnet-4-5',
  },
  {
    type: 'assistant',
    session_id: 's-1',
    message: {
      role: 'assistant',
      content: [
        { type: 'text', text: 'The cookie of the session expired too early; it now lives for a day.' },
      ],
    },
  },
  {
    type: 'result',
    subtype: 'success',
    is_error: false,
    session_id: 's-1',
    num_turns: 1,
    result: 'The cookie of the session expired too early; it now lives for a day.',
  },
]

export const SMOKE: readonly { title: string; run: (newcomer: Newcomer) => void | Promise<void> }[] = [
  {
    title: '--version',
    run: ({ ralph }) => {
      const said = ralph('--version').trim()
      expect(/^\d+\.\d+\.\d+/.test(said), `the version is "${said}"`)
    },
  },
  {
    title: 'init',
    run: ({ ralph, project }) => {
      ralph('init', '--yes')
      expect(existsSync(join(project, '.ralph', 'project.json')), 'there is no .ralph/project.json')
    },
  },
  {
    title: 'memory record',
    run: ({ ralph, home }) => {
      const transcript = join(home, 'run.jsonl')
      writeFileSync(transcript, RUN.map((line) => `${JSON.stringify(line)}\n`).join(''))
      const told = ['--feature', 'login', '--task-id', '1', '--task-title', 'Users are logged out']
      const record = JSON.parse(ralph('memory', 'record', ...told, '--transcript', transcript, '--json'))
      expect(record.record?.outcome === 'success', `the run is recorded as ${JSON.stringify(record)}`)
    },
  },
  {
    title: `search by meaning${isMadeForThisSystem() ? ', natively' : ', in WebAssembly'}`,
    run: searchByMeaning,
  },
  {
    title: 'hooks in and out',
    run: ({ ralph, project }) => {
      const settings = join(project, '.claude', 'settings.local.json')
      ralph('hooks', 'install')
      expect(readFileSync(settings, 'utf8').includes('SessionStart'), 'no hook is in the settings')
      ralph('hooks', 'uninstall')
      const left = existsSync(settings) ? readFileSync(settings, 'utf8') : ''
      expect(!left.includes('ralph'), `hooks are left in the settings: ${left}`)
    },
  },
  {
    title: 'MCP over standard input and output',
    run: async (newcomer) => {
      const { tools } = await answersOf(newcomer.start('mcp', '--feature', 'login'))
      expect(tools.includes('search_feature_memory'), `the MCP server offers ${tools}`)
    },
  },
  {
    title: 'dashboard',
    run: async (newcomer) => {
      const server = newcomer.start('dashboard', '--port', '0', '--json')
      try {
        const page = await visited(await addressOf(server))
        expect(page.ok && (await page.text()).includes('<title>'), `the dashboard answers ${page.status}`)
      } finally {
        server.kill()
      }
    },
  },
  {
    title: 'demo',
    run: ({ ralph }) => void JSON.parse(ralph('demo', '--json')),
  },
]

/** With the library that it brought, unpacked into the person's own folder; elsewhere in WebAssembly. */
function searchByMeaning({ ralph, home }: Newcomer): void {
  const words = ['memory', 'search', 'who is signed in is forgotten', '--feature', 'login']
  const { results } = JSON.parse(ralph(...words, '--min-score', '0', '--json'))
  expect(results[0]?.matched.includes('meaning'), `the search found ${JSON.stringify(results)}`)
  const models = join(home, '.ralph', 'models')
  const unpacked = existsSync(models) && readdirSync(models).some((name) => name.startsWith('onnxruntime-'))
  expect(unpacked === isMadeForThisSystem(), 'not with the library that was made for this system')
}

function expect(fine: boolean, otherwise: string): void {
  if (!fine) throw new Error(otherwise)
}
