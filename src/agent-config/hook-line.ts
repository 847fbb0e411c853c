import { delimiter, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isAbsolutePath, realPath } from '../files/project-path.ts'

/** With what a hook starts ralph. */
export interface HookStart {
  /** By its path, or by the name `node` where the search path is to lead to it. */
  node: string
  /** Our own `ralph.js`; without it `ralph` from the search path is called. */
  program?: string | undefined
  /** Whose hook it is; Claude Code's, unless it is said. */
  agent?: string | undefined
}

/** The words behind it are those of the call: `ralph hook EVENT`. What it complains of goes nowhere. */
const FROM_SEARCH_PATH =
  "require('child_process').spawnSync(process.argv.slice(1).join(' '),{shell:true,stdio:[0,1]})"

/**
 * One plain call that sh, PowerShell and cmd read alike, so that a file that is committed serves everybody. Settings are
 * committed and packages removed: where our path leads nowhere, `ralph` from the search path answers, and where there is
 * none, nobody. A session must not show an error for it, and no shell is asked to hide one: Node does.
 */
export function hookLine(
  event: string,
  { node, program, agent }: HookStart,
  platform: NodeJS.Platform = process.platform,
): string {
  const code =
    program === undefined
      ? FROM_SEARCH_PATH
      : `import('${plainUrl(program, platform)}').catch(()=>${FROM_SEARCH_PATH})`
  return `${nodeWord(node, platform)} -e "${code}" ralph hook ${event}${agent === undefined ? '' : ` --agent ${agent}`}`
}

/** The search path and what is known of it. */
export interface NodeSearch {
  searchPath: string | undefined
  /** Whether ralph runs on the Node at this path. */
  runs: (node: string) => boolean
}

/**
 * The Node that a hook calls later. In a file that others use by its name alone, if that leads to one that will do; else
 * this very one, as the search path spells it, which outlives an update where that is a link.
 */
export function nodeForHooks({ searchPath, runs }: NodeSearch, shared: boolean): string {
  const found = firstNode(searchPath ?? '')
  if (found === undefined) return process.execPath
  if (realPath(found) === realPath(process.execPath)) return shared ? 'node' : found
  return shared && runs(found) ? 'node' : process.execPath
}

function firstNode(searchPath: string): string | undefined {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  return (
    searchPath
      .split(delimiter)
      // npm puts its own in front of the path, for as long as it runs.
      .filter((folder) => isAbsolutePath(folder) && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder))
      .map((folder) => join(folder, name))
      .find((path) => realPath(path) !== undefined)
  )
}

/** However it is spelled, now or by earlier versions: `ralph hook Stop`, `"/x/node" "/x/bin/ralph.js" hook Stop || true`. */
export function isOurHook(command: string): boolean {
  return /(?:^|[\\/"\s])ralph(?:\.m?js|\.cmd)?["']?\s+hook\s+\w+(?:\s|$)/.test(command)
}

/** As `hookLine` spells it now, whichever node and program it names. */
export function isNewestHookLine(command: string): boolean {
  const [, code, call] = / -e "([^"]*)" (ralph hook \w+(?: --agent \w+)?)$/.exec(command) ?? []
  const bare = code?.replace(/^import\('[^']*'\)\.catch\(\(\)=>(.*)\)$/, '$1')
  return call !== undefined && bare === FROM_SEARCH_PATH
}

/** The files that such a line names by their whole path. */
export function filesOf(line: string): string[] {
  const words = [...line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(
    ([, quoted, bare]) => bare ?? quoted!.replace(/\\(["\\$`])/g, '$1'),
  )
  return words.map((word) => importedFile(word) ?? word).filter(isAbsolutePath)
}

function importedFile(code: string): string | undefined {
  const url = /^import\('(file:\/\/\/[^']+)'\)/.exec(code)?.[1]
  if (url === undefined) return undefined
  try {
    return fileURLToPath(url, { windows: /^file:\/\/\/[a-z]:/i.test(url) })
  } catch {
    return undefined // edited by hand into an address of no file
  }
}

/** Of what a URL does not escape by itself, these mean something inside the quotes. */
function plainUrl(path: string, platform: NodeJS.Platform): string {
  const { href } = pathToFileURL(path, { windows: platform === 'win32' })
  return href.replaceAll("'", '%27').replaceAll('$', '%24').replaceAll('!', '%21')
}

/** On Windows without quotes (to PowerShell that is text) and with slashes, which Git Bash leaves as they are. */
function nodeWord(node: string, platform: NodeJS.Platform): string {
  const isBare = (word: string) => /^[\w./:@%+=-]+$/.test(word)
  if (platform !== 'win32') return isBare(node) ? node : `"${node.replace(/(["\\$`])/g, '\\$1')}"`
  const path = node.replaceAll('\\', '/')
  return isBare(path) ? path : 'node'
}
