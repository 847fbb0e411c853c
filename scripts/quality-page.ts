/** Writes docs/quality.md and the README's table from docs/quality.json; with --check only says whether they agree with it. */
import { outdatedPages, writePages } from '../test/quality/report/pages.ts'

if (process.argv.includes('--check')) {
  const outdated = outdatedPages()
  if (outdated.length > 0) {
    console.error(`${outdated.join(' and ')} do not say what docs/quality.json says: run npm run docs`)
    process.exit(1)
  }
  console.log('docs/quality.md and README.md say what was measured')
} else {
  writePages()
}
