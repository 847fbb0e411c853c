import { programOf, type SimpleCommand } from '../../shell/parse-shell.ts'

/** They show what is in files or on the machine, or put files about; an error in what they print is not an error of this run. */
const SHOWING = new Set(
  [
    'cat head tail less more nl grep egrep rg ag find fd ls tree diff sed awk sort uniq cut tr wc jq yq xxd echo printf tee date',
    'cd pushd popd pwd mkdir touch rm cp mv stat file which type env export source . set true false test [ sleep xargs kill wait exit return trap read unset alias history clear',
  ].flatMap((names) => names.split(' ')),
)
/** Of git, only what runs hooks does something. */
const GIT_ACTING = /^(?:commit|push|merge|rebase|pull|am|cherry-pick)$/

/** Whether a part of a command runs something of the project, whose output tells how that came out. */
export function isActing(part: SimpleCommand): boolean {
  const { name, args } = programOf(part)
  return name === 'git' ? GIT_ACTING.test(args[0]?.text ?? '') : name !== '' && !SHOWING.has(name)
}
