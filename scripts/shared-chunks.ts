import { join } from 'node:path'
import type { OutputOptions, Plugin } from 'rolldown'

/** What a program loads first, then next, each step with all that it imports without `import()`. */
export interface Step {
  name: string
  files: readonly string[]
  /** Only one of the files is loaded, so each keeps what is its own. */
  apart?: boolean
  /** Loaded by some commands only: what the server needs of it too is kept apart from it, for both. */
  late?: boolean
}

/**
 * One bundle for all programs, so that nothing is in it twice, cut so that none loads much that only another needs. Opening
 * a file takes 0.3 ms, as much as 20 kB of code, so what a step loads is one file: that of the hooks, which wait least, where
 * they need it too, else that of the command. The files can never import each other in a circle: what a module imports is
 * needed from the same steps on as itself, or from earlier ones.
 */
export function chunksOf(
  root: string,
  { hook, command, server }: Record<'hook' | 'command' | 'server', readonly Step[]>,
) {
  const imports = new Map<string, readonly string[]>()
  let steps: Record<'hook' | 'command' | 'server', Map<string, Step>> | undefined

  const collect: Plugin = {
    name: 'collect-imports',
    moduleParsed: ({ id, importedIds }) => void imports.set(id, importedIds),
  }

  const nameOf = (id: string): string | null => {
    steps ??= {
      hook: stepOfEach(root, hook, imports),
      command: stepOfEach(root, command, imports),
      server: stepOfEach(root, server, imports),
    }
    const [ofHook, ofCommand] = [steps.hook.get(id), steps.command.get(id)]
    if (ofHook && ofCommand) return ofCommand === command[0] ? 'shared' : ofHook.name
    if (ofHook?.apart) return null
    if (ofCommand?.late && steps.server.has(id)) return `common-${ofCommand.name}`
    return (ofHook ?? ofCommand)?.name ?? null
  }

  const codeSplitting: OutputOptions['codeSplitting'] = {
    includeDependenciesRecursively: false,
    groups: [{ name: nameOf, debugName: 'steps' }],
  }
  return { collect, codeSplitting }
}

/** By module: the first step that loads it. */
function stepOfEach(
  root: string,
  steps: readonly Step[],
  imports: ReadonlyMap<string, readonly string[]>,
): Map<string, Step> {
  const stepOf = new Map<string, Step>()
  for (const step of steps) {
    const add = (id: string) => void (stepOf.has(id) || stepOf.set(id, step))
    for (const file of step.files) add(join(root, file))
    // Also visits what is added on the way.
    for (const [id] of stepOf) for (const next of imports.get(id) ?? []) if (imports.has(next)) add(next)
  }
  return stepOf
}
