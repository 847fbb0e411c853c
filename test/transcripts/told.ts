import type { AgentRun } from '../../src/transcripts/agent-run.ts'

/** The calls of a run on a line each: how it came out, the tool, and its command or files as seen from the project. */
export function calls({ toolCalls }: AgentRun): string[] {
  return toolCalls.map(({ status, name, command, paths, creates }) => {
    const target = command ?? paths.map((path) => path.replace('/home/user/project/', '')).join(' ')
    return [status, name, target, creates === true && '(new)'].filter(Boolean).join(' ')
  })
}

/** How a run ended, and for which reason where the service or a limit ended it. */
export function ending({ ending, service }: AgentRun): string {
  return service ? `${ending} ${service.cause}${service.passing ? ', passing' : ''}` : ending
}

/** Input, output, read from the cache. */
export function tokens({ usage }: AgentRun): number[] | undefined {
  return usage && [usage.input, usage.output, usage.cacheRead]
}
