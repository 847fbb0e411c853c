import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Said, saidBy } from '../support/in-process.ts'
import { runRalph } from '../support/ralph.ts'
import { temporaryFolder } from '../support/temporary.ts'

let folder: string

beforeAll(async () => {
  const cleanUp: (() => Promise<void>)[] = []
  folder = await temporaryFolder((undo) => cleanUp.push(undo))
  mkdirSync(join(folder, '.ralph', 'db'), { recursive: true })
  return async () => {
    for (const undo of cleanUp) await undo()
  }
})

function said(line: string): Promise<Said> {
  return saidBy(line.split(' '), { cwd: folder, home: join(folder, 'home') })
}

/** What was typed, what is wrong with it, and what leads on. */
const SLIPS: readonly (readonly [string, string, string])[] = [
  ['stauts', "unknown command 'stauts'", 'Did you mean `ralph status`?'],
  ['serch', "unknown command 'serch'", '`ralph help --all`'],
  ['nothinglikeit', "unknown command 'nothinglikeit'", '`ralph help --all` lists every command.'],
  ['import x', "unknown command 'import'", 'Did you mean `ralph memory import`'],
  ['memory serach x', "unknown command 'serach'", 'Did you mean `ralph memory search`?'],
  ['gate lst', "unknown command 'lst'", 'Did you mean `ralph gate list`?'],
  ['gates aprove 3', "unknown command 'aprove'", 'Did you mean `ralph gate approve`?'],
  ['memory search x --feture auth', "unknown option '--feture'", 'Did you mean `--feature`?'],
  ['memory search x --feture=auth', "unknown option '--feture'", 'Did you mean `--feature`?'],
  ['search', "missing required argument 'words'", '--help` shows how.'],
  ['learnings list', 'which feature? There is none in this project yet', '--feature NAME'],
  ['memory search x --feature a --limit many', '--limit must be a whole number', '--help` shows how.'],
  ['memory search x --feature a --since soon', '--since must be a date', '--help` shows how.'],
  ['task show seven', '"seven" is no task id', 'ralph task list'],
  ['task list --status finished', '--status must be one of: pending', '--help` shows how.'],
  ['task set 1', 'nothing to change was given', '`ralph task set --help` shows how.'],
  ['task set 1 --clear descripton', 'there is no field "descripton"', 'Did you mean description?'],
  ['gate request x --gate-type review', 'the task id must be a whole number', '--help` shows how.'],
  ['project id --new --same', 'not both', 'Give either --same or --new.'],
  ['summarizer exchange maybe', 'Allowed choices are on, off', '--help` shows how.'],
  ['status everything', 'too many arguments', '`ralph status --help` shows how.'],
  ['--project x status', "unknown option '--project'", 'Options come behind the command'],
  ['conversations import --format jsonl', 'which file?', '`ralph conversations import --help` shows how.'],
  ['knowledge capture --kind gate_rejection', 'needs --gate-type and --feedback', '--help` shows how.'],
  ['learnings merge one --feature a', 'at least two learnings', '--help` shows how.'],
  ['config set search.min_score 7', 'search.min_score must be a number from 0 to 1', 'ralph config get'],
  ['config set search.min_scor 0.5', 'there is no setting "search.min_scor"', 'mean search.min_score?'],
  ['config get nothinglikeit', 'there is no setting "nothinglikeit"', 'ralph config list'],
  ['config unset search.limits --in project', 'there is no setting', 'Did you mean search.limit?'],
  ['rag set rag_min_similarity 7', 'rag_min_similarity must be from 0 to 1', 'ralph rag config'],
  ['rag set rag_limit 7', 'there is no setting "rag_limit"', 'rag_conversation_limit'],
  ['search  ', 'the search text is empty', 'Say what you look for'],
  ['memory search  --feature a', 'the search text is empty', 'Say what you look for'],
  ['conversations search  ', 'the search text is empty', 'Say what you look for'],
  ['help hoks', 'there is no help on "hoks"', 'Did you mean `ralph help hooks`?'],
  ['help nothinglikeit', 'there is no help on "nothinglikeit"', '`ralph help --all`'],
]

describe('wrong usage', () => {
  it.each(SLIPS)('%s: exits 2 and says what leads on', async (line, wrong, hint) => {
    const { code, stdout, stderr } = await said(line)
    expect(stderr).toContain(wrong)
    expect(stderr).toContain('  → ')
    expect(stderr).toContain(hint)
    expect(stderr.match(/error:/g)).toHaveLength(1)
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })

  it.each(SLIPS)('%s --json: the same for programs', async (line, wrong, hint) => {
    const { code, stdout } = await said(`${line} --json`)
    const { error } = JSON.parse(stdout)
    expect(error).toEqual({ code: 'usage', message: expect.stringContaining(wrong), hint: expect.anything() })
    expect(error.hint).toContain(hint)
    expect(code).toBe(2)
  })

  it('of a group without a command shows what it has', async () => {
    const { code, stdout, stderr } = await said('memory')
    expect(stderr).toMatch(/Commands:\n {2}record /)
    expect(stdout).toBe('')
    expect(code).toBe(2)
    const json = JSON.parse((await said('memory --json')).stdout)
    expect(json.error).toMatchObject({ code: 'usage', hint: '`ralph memory --help` shows how.' })
  })
})

it.each([
  'features list',
  'tasks list',
  'disciplines list',
  'gates',
  'conversation list',
  'receipt',
  'worker',
])('ralph %s is understood', async (line) => {
  expect((await said(line)).code).toBe(0)
})

it('ralph hook install is not taken for an event of an agent', { timeout: 60_000 }, async () => {
  const { code, stderr } = await runRalph(['hook', 'instal'], { cwd: folder, home: join(folder, 'home') })
  expect(stderr).toContain('Did you mean `ralph hooks install`?')
  expect(code).toBe(2)
})
