import type { CheckKind } from './kinds.ts'
import { parseShell, programOf, type SimpleCommand } from './parse-shell.ts'

/** Programs whose name says what they check. */
const PROGRAMS: Record<Exclude<CheckKind, 'command'>, readonly string[]> = {
  test: words(
    'vitest jest mocha ava tap tape jasmine karma cypress pytest py.test unittest nose2 tox nox rspec phpunit pest ctest bats busted testcafe wdio',
  ),
  typecheck: words('tsc vue-tsc tsgo mypy pyright basedpyright pyre flow'),
  lint: words(
    'eslint biome oxlint prettier stylelint xo standard tslint markdownlint ruff flake8 pylint black isort rubocop shellcheck golangci-lint staticcheck clippy-driver hadolint ktlint swiftlint phpcs phpstan checkstyle',
  ),
  build: words(
    'webpack rollup esbuild parcel tsup javac kotlinc rustc gcc g++ cc c++ clang clang++ swiftc scalac cmake ninja bazel',
  ),
}

/** Of programs with subcommands, what the subcommand checks. */
const SUBCOMMANDS: Record<string, Record<string, CheckKind>> = {
  cargo: { test: 'test', nextest: 'test', check: 'typecheck', clippy: 'lint', fmt: 'lint', build: 'build' },
  go: { test: 'test', vet: 'lint', build: 'build' },
  deno: { test: 'test', check: 'typecheck', lint: 'lint', fmt: 'lint' },
  dotnet: { test: 'test', build: 'build', format: 'lint' },
  swift: { test: 'test', build: 'build' },
  mix: { test: 'test', compile: 'build' },
  playwright: { test: 'test' },
  vite: { build: 'build' },
  next: { build: 'build', lint: 'lint' },
  nuxt: { build: 'build' },
  ng: { test: 'test', build: 'build', lint: 'lint' },
  rails: { test: 'test', spec: 'test' },
  docker: { build: 'build' },
}

const PACKAGE_MANAGERS = new Set(['npm', 'pnpm', 'yarn', 'bun'])
/** They run what people have named: the name is all there is to go by. */
const TASK_RUNNERS = new Set(words('make just rake task nx turbo mvn mvnw gradle gradlew lerna'))
/** They run the program that follows them. */
const STARTERS = new Set(words('npx bunx pnpx timeout xvfb-run nice stdbuf dotenv cross-env'))
/** They do so after one of these words. */
const STARTING_WORDS: Record<string, readonly string[]> = {
  npm: ['exec'],
  pnpm: ['exec', 'dlx'],
  yarn: ['exec', 'dlx'],
  bun: ['x'],
  uv: ['run'],
  poetry: ['run'],
  pipenv: ['run'],
  hatch: ['run'],
  bundle: ['exec'],
}
/** What package managers do themselves. */
const OWN_WORK =
  /^(?:i|install|ci|add|remove|rm|uninstall|un|update|up|upgrade|link|publish|pack|init|create|audit|outdated|why|ls|list|info|view|config|cache|login|version|-v|--version)$/

/** What a command checks, by its words alone: `npx vitest run` is a test, `npm run lint` a lint, `node seed.js` a `command`. */
export function checkKind(part: SimpleCommand): CheckKind {
  const { name, args } = programOf(part)
  return kindOf([name, ...args.map(({ text }) => text)])
}

/** A script or a target that is called after a check is one, as far as anybody can tell. */
const CHECK_NAME =
  /(?:^|[\s:/._-])(?:tests?|specs?|e2e|builds?|rebuild|compile|lint|types?|typecheck|checks?|verify|validate|ci|coverage)(?=$|[\s:/._-])/i

/** Test, build, lint, type check and the like, however they are called: they are there to be repeated. */
export function isCheck(command: string): boolean {
  return CHECK_NAME.test(command) || parseShell(command).some((part) => checkKind(part) !== 'command')
}

function kindOf(command: readonly string[]): CheckKind {
  const [name = '', ...args] = command
  const operands = args.filter((argument) => !argument.startsWith('-'))
  const [first = ''] = operands
  if (STARTERS.has(name) || STARTING_WORDS[name]?.includes(first)) return kindOf(started(name, args))
  if (PACKAGE_MANAGERS.has(name)) return packageScript(operands)
  if (/^python[\d.]*$|^py$/.test(name)) {
    const module = args.indexOf('-m')
    return module === -1 ? 'command' : kindOf(args.slice(module + 1))
  }
  if (name === 'node') return args.includes('--test') ? 'test' : 'command'
  if (name === 'cmake') return args.includes('--build') ? 'build' : 'command'
  if (TASK_RUNNERS.has(name)) return named(operands.find((word) => word !== 'run') ?? 'build')
  const known = Object.entries(PROGRAMS).find(([, names]) => names.includes(name))?.[0] as
    | CheckKind
    | undefined
  return known ?? SUBCOMMANDS[name]?.[first] ?? 'command'
}

/** Without the starter, its options and its own arguments: `timeout 60 npm test` is `npm test`. */
function started(name: string, args: readonly string[]): string[] {
  const rest = STARTING_WORDS[name] ? args.slice(args.findIndex((word) => !word.startsWith('-')) + 1) : args
  const start = rest.findIndex(
    (word) => !word.startsWith('-') && !/^[\d.]+[smhd]?$/.test(word) && !word.includes('='),
  )
  return start === -1 ? [] : rest.slice(start)
}

function packageScript(operands: readonly string[]): CheckKind {
  const [first = '', second = ''] = operands
  if (first === 'run' || first === 'run-script') return named(second)
  if (first === 't') return 'test'
  return OWN_WORK.test(first) ? 'command' : named(first)
}

/** By the name that people gave to it. */
function named(name: string): CheckKind {
  if (/\blint|^(?:format|fmt|style|prettier|eslint|biome)\b/i.test(name)) return 'lint'
  if (/type|\btsc\b/i.test(name)) return 'typecheck'
  if (/test|spec|e2e|^(?:check|ci|verify|validate)\b|vitest|jest|coverage/i.test(name)) return 'test'
  return /build|compile|bundle|package|assemble|^dist\b|^all$/i.test(name) ? 'build' : 'command'
}

function words(list: string): string[] {
  return list.split(' ')
}
