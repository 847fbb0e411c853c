import { parseShell, programOf } from './parse-shell.ts'

/** They show what is there and change nothing. */
const LOOKING = new Set(
  'cat head tail less more nl grep egrep rg ag find fd ls tree diff sort uniq cut tr wc jq yq xxd echo printf date cd pwd stat file which type env true test [ sleep ps df du whoami uname history'.split(
    ' ',
  ),
)
const GIT_LOOKING = /^(?:status|log|diff|show|branch|blame|grep|rev-parse|ls-files|remote|describe|shortlog)$/

/** Whether nothing in the command can have changed anything; in doubt it can. */
export function onlyLooks(command: string): boolean {
  const parts = parseShell(command)
  return (
    parts.length > 0 &&
    parts.every((part) => {
      const { name, args } = programOf(part)
      const writes = part.redirects.some(({ target }) => target.text !== '/dev/null')
      if (writes) return false
      return name === 'git' ? GIT_LOOKING.test(args[0]?.text ?? '') : LOOKING.has(name)
    })
  )
}
