import { checkKind } from './check-kind.ts'
import { parseShell, programOf, type SimpleCommand } from './parse-shell.ts'

/** They show what is there and change nothing, unless a word tells them to. */
const LOOKING = new Set(
  'cat head tail less more nl grep egrep rg ag find fd ls tree diff sort uniq cut tr wc jq yq xxd echo printf date cd pwd stat file which type env true test [ sleep ps df du whoami uname history'.split(
    ' ',
  ),
)
const WRITE_WHEN_TOLD = new Set(['find', 'fd', 'yq', 'sort', 'tree'])
const WRITING_WORD =
  /^(?:-delete|-exec\w*|-ok\w*|-fprint\w*|-x|--exec(?:-batch)?|-i|--in-?place|-o|--output(?:=.*)?)$/
const GIT_LOOKING = /^(?:status|log|diff|show|branch|blame|grep|rev-parse|ls-files|remote|describe|shortlog)$/
/** They change the repository, not the files. */
const GIT_KEEPING = /^(?:add|commit|push|fetch|tag)$/
/** What runs inside them is not plain to see. */
const UNCLEAR = /`|\$\(|[<>]\(|(?:^|[\s;&|(])(?:if|for|while|until|case|select|function|eval|\{)\s/

/** Whether nothing in the command can have changed anything; in doubt it can. */
export function onlyLooks(command: string): boolean {
  return everyPart(command, looks)
}

/** Whether it only looks, checks, or works on the repository itself: as far as one can tell it writes no file of ours. */
export function leavesFilesAlone(command: string): boolean {
  return everyPart(command, (part) => looks(part) || (!writesByRedirect(part) && isBusyElsewhere(part)))
}

function everyPart(command: string, holds: (part: SimpleCommand) => boolean): boolean {
  const parts = parseShell(command)
  return parts.length > 0 && !UNCLEAR.test(command) && parts.every(holds)
}

function looks(part: SimpleCommand): boolean {
  const { name, args } = programOf(part)
  if (writesByRedirect(part)) return false
  if (name === 'git') return GIT_LOOKING.test(args[0]?.text ?? '')
  return LOOKING.has(name) && !(WRITE_WHEN_TOLD.has(name) && args.some(({ text }) => WRITING_WORD.test(text)))
}

function isBusyElsewhere(part: SimpleCommand): boolean {
  const { name, args } = programOf(part)
  return name === 'git' ? GIT_KEEPING.test(args[0]?.text ?? '') : checkKind(part) !== 'command'
}

function writesByRedirect({ redirects }: SimpleCommand): boolean {
  return redirects.some(({ target }) => target.text !== '/dev/null')
}
