/** What a command is there to check; `command` checks nothing. By itself, so that records need no parser of commands. */
export const CHECK_KINDS = ['test', 'build', 'lint', 'typecheck', 'command'] as const
export type CheckKind = (typeof CHECK_KINDS)[number]
