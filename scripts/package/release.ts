/** Whether what is packed is what a tag says: for the workflow that publishes. */
import type { Finding } from './finding.ts'

export function wrongForRelease(
  tag: string,
  { version, repository }: { version: string; repository?: { url?: string } },
  changelog: string,
): Finding[] {
  const found: Finding[] = []
  if (tag !== `v${version}`) {
    found.push({
      wrong: `the tag says ${tag}, package.json version ${version}`,
      todo: `npm version writes both: delete the tag, then npm version ${tag.replace(/^v/, '')}`,
    })
  }
  if (!changelog.split('\n').some((line) => /^## \[?/.test(line) && line.includes(version))) {
    found.push({
      wrong: `CHANGELOG.md has nothing under ${version}`,
      todo: `give what stands under "Unreleased" the title "## ${version} (date)"`,
    })
  }
  // npm compares it with the repository that vouches for the build.
  if (!repository?.url?.startsWith('git+https://github.com/')) {
    found.push({
      wrong: 'package.json names no repository on GitHub, which provenance needs',
      todo: 'set "repository" to { "type": "git", "url": "git+https://github.com/…" }',
    })
  }
  return found
}
