import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { textIfAny } from '../files/git-checkout.ts'
import { isAsMade } from '../project-setup.ts'
import type { Ralph } from '../ralph.ts'

/** What would be lost with the project's memory. */
export interface HeldMemory {
  iterations: number
  features: number
  /** Files of `.ralph/` that somebody or something has put there, from there. */
  files: string[]
  conversations: number
}

/** Made again by whoever needs it, or of no use to anybody. */
const DISPOSABLE = /^(?:cache|logs|local)\/|\.(?:lock|tmp)$|^project\.json$/
/** What keeps our own files out of git. */
const OWN_RULES = /^(?:cache|db|db\/memory)\/\.gitignore$/

export async function heldMemory(ralph: Ralph): Promise<HeldMemory> {
  const { config, featureMemory } = ralph
  const features = await featureMemory.features()
  const counts = await Promise.all(features.map(async (name) => (await featureMemory.verify(name)).records))
  return {
    iterations: counts.reduce((sum, count) => sum + count, 0),
    features: features.length,
    files: heldFiles(config),
    conversations: await heldConversations(ralph),
  }
}

function heldFiles({ project }: Config): string[] {
  const folder = join(project, '.ralph')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((name) => !DISPOSABLE.test(name) && !OWN_RULES.test(name))
    .filter((name) => !isAsMade(name, textIfAny(join(folder, name)) ?? ''))
    .sort()
}

/** Looking makes no database, and a server's is not this person's alone. */
async function heldConversations({ config, openConversations }: Ralph): Promise<number> {
  if (!keepsOwnDatabase(config) || !existsSync(config.paths.userDatabase)) return 0
  return (await openConversations()).ofProject(config.project).count()
}

/** Whether what the user's folder holds is all there is: a server's database is for others too. */
export function keepsOwnDatabase({ settings }: Config): boolean {
  return settings.storage.driver === 'sqlite' && settings.index.driver === 'sqlite'
}
