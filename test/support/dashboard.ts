import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { type RunningDashboard, startDashboard } from '../../src/dashboard/serve.ts'
import { tellStory } from '../../src/demo/tell-story.ts'
import { openRalph, type Ralph } from '../../src/ralph.ts'
import type { SettingsInput } from '../../src/settings-schema.ts'
import { builtCommand } from './built-command.ts'
import { type AtEnd, temporaryFolder } from './temporary.ts'

export interface DashboardWorld {
  project: string
  home: string
  /** What the page works with. Another process would open its own: see `another`. */
  ralph: Ralph
  dashboard: RunningDashboard
  port: number
  /** The page's address with the token, at this path. */
  at: (path: string) => string
  /** The same project, opened as another process would. */
  another: () => Promise<Ralph>
}

/** One for all tests of a file, with the demo's story in it: for those that only look. */
export function storyWorld(): () => DashboardWorld {
  const undone: (() => Promise<void>)[] = []
  let world: DashboardWorld
  beforeAll(async () => {
    world = await dashboardWorld({ atEnd: (undo) => undone.push(undo) })
    await tellStory(world.ralph)
  })
  afterAll(async () => {
    for (const undo of undone.reverse()) await undo()
  })
  return () => world
}

/** A project of its own and the dashboard that shows it, both gone after the test, or when the caller's own time has come. */
export async function dashboardWorld({
  readOnly = false,
  settings = {},
  atEnd = onTestFinished,
}: {
  readOnly?: boolean
  settings?: SettingsInput
  atEnd?: AtEnd
} = {}): Promise<DashboardWorld> {
  await builtCommand()
  const folder = await temporaryFolder(atEnd)
  const [project, home] = [join(folder, 'shop'), join(folder, 'home')]
  await mkdir(join(project, '.ralph', 'db'), { recursive: true })
  const open = async () => {
    const ralph = await openRalph({
      project,
      home,
      settings,
      env: {},
      via: 'page',
      onNotice: () => undefined,
    })
    atEnd(() => ralph.close())
    return ralph
  }
  const ralph = await open()
  const dashboard = await startDashboard({ ralph, port: 0, readOnly })
  atEnd(() => dashboard.close())
  const { origin, searchParams } = new URL(dashboard.address)
  const at = (path: string) => {
    const address = new URL(path, origin)
    address.searchParams.set('token', searchParams.get('token')!)
    return address.href
  }
  return { project, home, ralph, dashboard, port: dashboard.port, at, another: open }
}
