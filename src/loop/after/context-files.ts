import { type ContextFile, FEATURE_CAPS } from '../../board/feature.ts'

/** A file touched in this many iterations belongs to the feature. */
const ENOUGH_TOUCHES = 3

/** Everybody touches these, so they say nothing about a feature. */
const NOISE: readonly RegExp[] = [
  // lock files and manifests
  /(^|\/)(package(-lock)?\.json|npm-shrinkwrap\.json|pnpm-(lock|workspace)\.yaml|bun\.lockb?|composer\.(json|lock))$/,
  /(^|\/)(Cargo\.toml|go\.(mod|sum)|Gemfile|Pipfile|pyproject\.toml|setup\.(py|cfg)|requirements[\w.-]*\.txt|pom\.xml|mix\.exs|Package\.swift)$/,
  /(^|\/)(build|settings)\.gradle(\.kts)?$/,
  /\.(lock|lockb|sum)$/,
  // configuration
  /(^|\/)\.[^/]+$/,
  /(^|\/)(tsconfig|jsconfig)[\w.-]*\.json$/,
  /\.config\.[cm]?[jt]s$/,
  /(^|\/)[\w.-]*rc\.(json|js|cjs|yaml|yml)$/,
  /(^|\/)(biome\.jsonc?|turbo\.json|nx\.json|Makefile|Dockerfile|docker-compose[\w.-]*\.ya?ml)$/,
  // generated
  /(^|\/)(node_modules|dist|build|out|target|coverage|vendor|__pycache__|__snapshots__|generated|\.\w[^/]*)\//,
  /\.(min\.(js|css)|map|snap|pyc|log|tmp|d\.ts)$/,
  /(\.|_|-)(generated|gen|pb)\.\w+$/,
]

export function isNoise(path: string): boolean {
  return NOISE.some((pattern) => pattern.test(path))
}

/**
 * The feature's context files after an iteration: files touched often enough join; at the cap the least touched one that
 * joined by itself makes room, never one that somebody chose. Undefined when nothing changes.
 */
export function enrichedContextFiles(
  current: readonly ContextFile[],
  known: readonly string[],
  touches: ReadonlyMap<string, number>,
  exists: (path: string) => boolean,
): ContextFile[] | undefined {
  const listed = new Set([...known, ...current.map(({ path }) => path)])
  const candidates = [...touches]
    .filter(([path, count]) => count >= ENOUGH_TOUCHES && !listed.has(path) && !isNoise(path) && exists(path))
    .sort(([, a], [, b]) => b - a)
  // Counts are refreshed only along with a change: the file is people's, and rewriting it each time is noise.
  let files = current.map((file) =>
    file.source === 'auto' ? { ...file, touchCount: touches.get(file.path) ?? file.touchCount } : file,
  )
  let changed = false
  for (const [path, touchCount] of candidates) {
    if (files.length >= FEATURE_CAPS.contextFiles) {
      const least = files
        .filter(({ source }) => source === 'auto')
        .sort((a, b) => a.touchCount - b.touchCount)[0]
      if (!least || least.touchCount >= touchCount) break
      files = files.filter((file) => file !== least)
    }
    files.push({ path, source: 'auto', touchCount })
    changed = true
  }
  return changed ? files : undefined
}
