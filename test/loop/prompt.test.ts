import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Task } from '../../src/board/task.ts'
import { handOver } from '../../src/loop/hand-over.ts'
import { promptFiles } from '../../src/loop/prompt/files.ts'
import {
  ACCESS,
  entry,
  failure,
  feature,
  golden,
  KNOWLEDGE,
  learning,
  make,
  project,
  run,
  section,
  task,
  tokenizer,
} from './briefings.ts'

describe('each section', () => {
  it('the frame of every prompt: discipline, feature, task, closing', async () => {
    await expect(`${make().text}\n`).toMatchFileSnapshot(golden('frame'))
  })

  it('a task with nothing but a title, in no feature', async () => {
    const bare: Task = { ...task, description: undefined, acceptanceCriteria: [], comments: [] }
    const { text } = make({ task: bare, feature: undefined, discipline: undefined })
    await expect(`${text}\n`).toMatchFileSnapshot(golden('bare-task'))
  })

  it('feedback of a person', async () => {
    const { text } = make({ feedback: ['Use the shared button.\n## Ignore this heading (design)'] })
    await expect(section(text, 'A person sent')).toMatchFileSnapshot(golden('feedback'))
  })

  it('the hand-over of a run that worked and was not done', async () => {
    const run = failure(6, {
      summary:
        "Build the login form: the form posts JSON now. It ends with TypeError: Cannot read properties of undefined (reading 'user').\n\nNext:\n- show the message\n- add a test",
      filesTouched: [
        { path: 'src/auth.ts', action: 'modified' },
        { path: 'src/form.ts', action: 'created' },
        { path: 'docs/auth.md', action: 'read' },
        { path: '.ralph/db/tasks.yaml', action: 'modified' },
      ],
    })
    const errors = { open: [entry(1)], nearby: [] }
    const { text } = make({ handOver: handOver(task, [run], [run]), errors })
    await expect(section(text, 'The last run')).toMatchFileSnapshot(golden('hand-over-worked'))
    expect(text.match(/The mail field is shared/g)).toHaveLength(1)
  })

  it.each([
    ['interrupted', { kind: 'stopped', cause: 'interrupted' }],
    ['killed', { kind: 'stopped', cause: 'killed', signal: 'SIGKILL' }],
    ['terminated', { kind: 'stopped', cause: 'killed', signal: 'SIGTERM' }],
    ['time', { kind: 'stopped', cause: 'time' }],
    ['silence', { kind: 'stopped', cause: 'silence', detail: 'silent for 10 min' }],
    ['recovered', { kind: 'stopped', cause: 'recovered' }],
    ['rate limit', { kind: 'service_failed', cause: 'rate_limit' }],
    ['key', { kind: 'service_failed', cause: 'key', detail: 'Invalid API key' }],
    ['credit', { kind: 'service_failed', cause: 'credit' }],
    ['api', { kind: 'service_failed', cause: 'api', detail: 'API Error: 500 internal' }],
    ['refused', { kind: 'refused' }],
  ] as const)('the hand-over of a run that ended by: %s', async (name, ending) => {
    const run = failure(6, {
      ending,
      summary: 'Added the route, now come the tests.',
      errors: [],
      decisions: [],
      filesTouched: [{ path: 'src/auth.ts', action: 'modified' }],
    })
    const { text } = make({ handOver: handOver({ ...task, comments: [] }, [run], [run]) })
    await expect(section(text, 'The last run')).toMatchFileSnapshot(
      golden(`hand-over-${name.replace(' ', '-')}`),
    )
  })

  it('the hand-over of a task that was opened again after a review', async () => {
    const done = failure(6, { outcome: 'success', summary: 'All of it works.', errors: [], decisions: [] })
    const review = failure(7, {
      kind: 'review',
      taskId: 0,
      outcome: 'success',
      summary: 'Task 7 is not done.',
    })
    const reopened: Task = {
      ...task,
      status: 'pending',
      comments: [...task.comments, { author: 'review', text: 'A wrong password shows nothing.' }],
    }
    const { text } = make({ task: reopened, handOver: handOver(reopened, [done], [review, done]) })
    await expect(section(text, 'The last run')).toMatchFileSnapshot(golden('hand-over-reopened'))
    expect(text.match(/A wrong password shows nothing/g)).toHaveLength(1)
  })

  it('the hand-over when later runs came to nothing, or changed the same file', async () => {
    const changed = { filesTouched: [{ path: 'src/auth.ts', action: 'modified' as const }] }
    const nothing = {
      errors: [],
      decisions: [],
      ending: { kind: 'service_failed', cause: 'credit' } as const,
    }
    const worked = failure(3, {
      ...changed,
      decisions: [{ description: 'Chose controlled inputs over refs' }],
    })
    const other = failure(4, { ...changed, taskId: 2, taskTitle: 'Log out' })
    const [first, second] = [failure(5, nothing), failure(6, nothing)]
    const handed = handOver(
      { ...task, comments: [] },
      [second, first, worked],
      [second, first, other, worked],
    )
    const { text } = make({ handOver: handed })
    await expect(section(text, 'The last run')).toMatchFileSnapshot(golden('hand-over-since'))
  })

  it('what was tried before', async () => {
    const long = failure(6, { summary: 'A very long story. '.repeat(60), errors: [], decisions: [] })
    const { text } = make({ failedAttempts: [long, failure(5)], errors: { open: [entry(1)], nearby: [] } })
    await expect(section(text, 'Tried before')).toMatchFileSnapshot(golden('failed-attempts'))
    expect(text.match(/Cannot read properties/g)).toHaveLength(1)
  })

  it('errors with their lives', async () => {
    const by = {
      ...run(4),
      files: ['src/auth.ts', 'src/session.ts'],
      summary: 'Waits for the session.',
      decisions: [],
    }
    const solution = { ...run(4), check: 'npm test', by }
    const open = [
      entry(1),
      entry(4),
      entry(2, { life: 'came_back', solutions: [{ ...solution, cameBackIn: 6 }] }),
    ]
    const elsewhere = { ...run(9), taskId: 2, taskTitle: 'Log out' }
    const nearby = [
      entry(6, { times: 9, sightings: [elsewhere], check: { command: 'npx tsc', kind: 'typecheck' } }),
      entry(3, { life: 'solved', solutions: [solution] }),
      entry(5, { life: 'solved', solutions: [{ ...run(5), check: 'npm test' }] }),
      entry(5, { life: 'not_seen_since' }),
    ]
    const { text } = make({ errors: { open, nearby } })
    await expect(section(text, 'Open errors')).toMatchFileSnapshot(golden('open-errors'))
    await expect(section(text, 'Errors met before')).toMatchFileSnapshot(golden('errors-nearby'))
  })

  it('learnings, the first ten', async () => {
    const learnings = [
      learning(1, { reviewed: true, source: 'human', iteration: undefined as never }),
      learning(2, { hitCount: 4, remarks: ['[STALE]', 'src/auth.ts changed since'] }),
      ...Array.from({ length: 10 }, (_, index) => learning(index + 3)),
    ]
    const prompt = make({ learnings })
    await expect(section(prompt.text, 'What earlier runs')).toMatchFileSnapshot(golden('learnings'))
    expect(prompt.leftOut).toEqual(['learnings: 2 of 12'])
    expect(prompt.items.map(({ source }) => source)).toEqual(
      Array.from({ length: 10 }, (_, index) => `learning 0000000${index + 1}`),
    )
  })

  it('learnings, but not those that say what an error says', () => {
    const again = learning(1, {
      text: "TypeError: Cannot read properties of undefined (reading 'user') came back",
    })
    const { text, items } = make({
      learnings: [again, learning(2)],
      errors: { open: [entry(1)], nearby: [] },
    })
    expect(items.filter(({ kind }) => kind === 'learning').map(({ source }) => source)).toEqual([
      'learning 00000002',
    ])
    expect(text.match(/Cannot read properties/g)).toHaveLength(1)
  })

  it('knowledge, whole, with its own frame', () => {
    const prompt = make({ knowledge: KNOWLEDGE })
    expect(prompt.text).toContain(KNOWLEDGE.text)
    expect(prompt.items).toMatchObject([{ kind: 'pattern', score: 0.8, tokens: 3 }])
  })

  it('files with their contents, a stale one, one that is no text, one that leads outside', async () => {
    const files = await promptFiles(
      project,
      {
        ...feature,
        contextFiles: [
          { path: 'binary.bin', source: 'human', touchCount: 0 },
          { path: 'outside.txt', source: 'agent', touchCount: 0 },
          { path: 'src/gone.ts', source: 'auto', touchCount: 5 },
        ],
      },
      tokenizer,
    )
    await expect(section(make({ files }).text, 'Files worth')).toMatchFileSnapshot(golden('files'))
    expect(files.stale).toEqual(['src/gone.ts'])
  })

  it('a long file gives its beginning and a pointer', async () => {
    const files = await promptFiles(project, { ...feature, knowledgePaths: ['docs/long.md'] }, tokenizer)
    const prompt = make({ files })
    expect(tokenizer.count(files.files[0]!.text!)).toBeLessThanOrEqual(500)
    expect(prompt.text).toContain('the resource feature://auth/files/docs/long.md')
    expect(prompt.text).not.toContain('Rule 899')
    expect(prompt.leftOut).toEqual(['docs/long.md: all but the first 500 tokens'])
  })

  it('files of more than 4,000 tokens in all give only their names', async () => {
    const knowledgePaths = ['docs/medium.md', 'docs/auth.md', 'docs/long.md']
    await writeFile(join(project, 'docs/second.md'), 'Second words here. '.repeat(450))
    await writeFile(join(project, 'docs/third.md'), 'Third words here. '.repeat(450))
    const files = await promptFiles(
      project,
      { ...feature, knowledgePaths: [...knowledgePaths, 'docs/second.md', 'docs/third.md'] },
      tokenizer,
    )
    const prompt = make({ files })
    expect(prompt.text).not.toContain('Medium words')
    expect(section(prompt.text, 'Files worth')).toBe(
      '## Files worth knowing\n\n- docs/medium.md (knowledge)\n- docs/auth.md (knowledge)\n- docs/long.md (knowledge)\n- docs/second.md (knowledge)\n- docs/third.md (knowledge)\n',
    )
    expect(prompt.leftOut[0]).toBe(
      'docs/medium.md: only its name (the files have more than 4,000 tokens in all)',
    )
  })

  it('memory tools: to ask only where there is something to find', async () => {
    await expect(section(make({ memoryAccess: ACCESS }).text, 'Memory tools')).toMatchFileSnapshot(
      golden('memory-tools'),
    )
    const { text } = make({ memoryAccess: { ask: false, note: true } })
    expect(text).toContain('append_feature_learning')
    expect(text).not.toContain('search_feature_memory')
    expect(make().text).not.toContain('Memory tools')
  })
})
