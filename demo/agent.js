/**
 * A small coding agent with a script instead of a language model: it speaks as one program or another does (`--speaks codex`;
 * default: Claude Code), edits files and runs tests for real. For each task it knows a few ideas and takes the first one that nothing it was given (its prompt,
 * its memory tools) says has failed before. So what it does follows from what it is told, as with a real agent.
 */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { voiceOf } from './voices.js'

/** In the order they come to mind. `name` is how the agent speaks of an idea, and how it recognises it again. */
const IDEAS = {
  'src/format-price.js': [
    {
      name: 'rounding with toFixed',
      code: 'export function formatPrice(amount) {\n  return amount.toFixed(2)\n}\n',
    },
    {
      name: 'rounding with Math.round on the amount times 100',
      code: 'export function formatPrice(amount) {\n  return (Math.round(amount * 100) / 100).toFixed(2)\n}\n',
    },
    {
      name: 'shifting the decimal point in the text before rounding',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is code that the agent writes
      code: 'export function formatPrice(amount) {\n  return Number(`${Math.round(`${amount}e2`)}e-2`).toFixed(2)\n}\n',
    },
  ],
  'src/split-bill.js': [
    {
      name: 'giving everybody the rounded share',
      code: 'export function splitBill(cents, people) {\n  return Array(people).fill(Math.round(cents / people))\n}\n',
    },
    {
      name: 'handing out the remaining cents one by one',
      code: 'export function splitBill(cents, people) {\n  const share = Math.floor(cents / people)\n  return Array.from({ length: people }, (_, at) => share + (at < cents % people ? 1 : 0))\n}\n',
    },
  ],
  'src/parse-price.js': [
    {
      name: 'reading the text with parseFloat',
      code: 'export function parsePrice(text) {\n  return Number.parseFloat(text)\n}\n',
    },
    {
      name: 'removing the thousands separators first',
      code: "export function parsePrice(text) {\n  return Number(text.replaceAll(',', ''))\n}\n",
    },
  ],
}

const prompt = readFileSync(0, 'utf8')
const file = Object.keys(IDEAS).find((name) => new RegExp(`Write \\w+ in ${name}`).test(prompt))
const [, taskId, title] = prompt.match(/^## Your task: (\d+), "(.+)"$/m)
const speaks = process.argv.indexOf('--speaks')
const voice = voiceOf(speaks === -1 ? 'claude-code' : process.argv[speaks + 1], prompt)

voice.begin()
const recalled = await askMemory()
const known = `${prompt}\n${recalled}`
const idea = IDEAS[file].find(({ name }) => !known.includes(name)) ?? IDEAS[file].at(-1)
const test = file.replace('src/', 'test/').replace('.js', '.test.js')
const tried = IDEAS[file].filter(({ name }) => known.includes(name)).map(({ name }) => name)
if (tried.length > 0) voice.talk(`Earlier runs left ${file} failing ${test} by ${tried.join(' and by ')}.`)
voice.talk(`I decided on ${idea.name} for ${title}.`)
voice.write(`${process.cwd()}/${file}`, idea.code, () => {
  writeFileSync(file, idea.code)
  return `The file ${file} has been updated.`
})
const passed = voice.run(`node --test ${test}`, () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--test', test], { encoding: 'utf8' })
  return { status, output: status === 0 ? stdout : stdout + stderr }
})
if (passed) markDone()
voice.finish(
  passed
    ? `${title}: done by ${idea.name}. All tests pass.`
    : `${title}: ${idea.name} does not work, the tests still fail.`,
)

/** Asks the memory server that the prompt speaks of, as any MCP client would. */
async function askMemory() {
  const at = process.argv.indexOf('--mcp-config')
  if (at === -1 || !prompt.includes('search_feature_memory')) return ''
  const {
    command,
    args = [],
    env = {},
  } = JSON.parse(readFileSync(process.argv[at + 1], 'utf8')).mcpServers.ralph
  const server = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'ignore'] })
  const answers = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
  const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const ask = async (id, method, params) => {
    send({ id, method, params })
    for (;;) {
      const { value, done } = await answers.next()
      if (done) return {}
      const message = JSON.parse(value)
      if (message.id === id) return message.result ?? {}
    }
  }
  await ask(1, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'demo-agent', version: '1' },
  })
  send({ method: 'notifications/initialized' })
  const input = { task_id: Number(taskId) }
  const { content = [] } = await ask(2, 'tools/call', { name: 'get_failed_attempts', arguments: input })
  server.stdin.end()
  const text = content.map((part) => part.text ?? '').join('\n')
  voice.asked('get_failed_attempts', input, text)
  return text
}

function markDone() {
  const board = '.ralph/db/tasks.yaml'
  voice.edit(`${process.cwd()}/${board}`, 'status: pending', 'status: done', () => {
    const entries = readFileSync(board, 'utf8').split(/(?=^ {2}- id:)/m)
    writeFileSync(
      board,
      entries
        .map((entry) =>
          entry.includes(`title: ${title}`) ? entry.replace('status: pending', 'status: done') : entry,
        )
        .join(''),
    )
    return `The file ${board} has been updated.`
  })
}
