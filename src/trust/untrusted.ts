import type { Notices } from '../notices.ts'
import type { Demand } from './demand.ts'
import type { ProjectVariable } from './variables-of-project.ts'

/** The key of the notice that settings of the project wait for a person's trust. */
export const UNTRUSTED_SETTINGS = 'untrusted settings'

interface Asked {
  untrusted: readonly Demand[]
  variables: readonly ProjectVariable[]
}

export function sayUntrusted({ untrusted, variables }: Asked, notices: Notices): void {
  if (variables.length > 0) sayIgnored(variables, notices)
  if (untrusted.length === 0) return
  const names = untrusted.map(({ name }) => name).join(', ')
  notices.once({
    key: UNTRUSTED_SETTINGS,
    message: `this project's settings of ${names} have no effect until a person trusts them`,
    hint: 'ralph trust',
    harmless: true,
  })
}

function sayIgnored(variables: readonly ProjectVariable[], notices: Notices): void {
  const named = variables.map(({ name, file }) => `${name} (${file})`).join(', ')
  notices.once({
    key: 'variables of the project',
    message: `variables that files of this project set have no effect: ${named}`,
    hint: 'Set them in ~/.ralph/config.json, or in .ralph/rag_config.json and run: ralph trust',
    harmless: true,
  })
}
