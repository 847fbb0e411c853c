import type { ProjectSettings } from './settings-guard.ts'

/** Whether the project's own settings name an agent, and a person has trusted it with the files that it names. */
export async function agentIsTrusted(settings: ProjectSettings): Promise<boolean> {
  const demands = await settings.demands().catch(() => []) // settings that cannot be read name nobody
  const ofLoop = demands.find(({ name }) => name === 'loop')
  return ofLoop !== undefined && settings.isTrusted(ofLoop)
}
