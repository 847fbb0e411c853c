import { parseShell, programOf } from '../feature-memory/extract/shell.ts'

/** Test, build, lint, type check and the like, however they are called: they are there to be repeated. */
const CHECK =
  /(?:^|[\s:/._-])(?:tests?|vitest|jest|mocha|ava|tap|pytest|unittest|nose2?|tox|rspec|phpunit|ctest|spec|specs|e2e|cypress|playwright|builds?|compile|rebuild|bundle|tsc|vue-tsc|mypy|pyright|pyre|rustc|javac|gcc|g\+\+|clang|cmake|ninja|gradlew?|mvn|msbuild|lint(?:er|ing)?|eslint|biome|ruff|flake8|pylint|clippy|golangci-lint|rubocop|stylelint|shellcheck|prettier|type-?check|types|checks?|verify|validate|ci|coverage|doctor|vet|diff|status)(?=$|[\s:/._-])/i

/** Without a target they build. */
const BUILDERS = new Set(['make', 'just', 'task', 'rake'])

export function isCheck(command: string): boolean {
  if (CHECK.test(command)) return true
  return parseShell(command).some((part) => {
    const { name, args } = programOf(part)
    return BUILDERS.has(name) && args.every(({ text }) => text.startsWith('-'))
  })
}

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
