/** Writes every page that is made from kept figures; with --check only says whether they agree with them. */
import { MEASURED_PAGES } from './measured/all-pages.ts'
import { outdatedPages, writePages } from './measured/measured-page.ts'

if (process.argv.includes('--check')) {
  const outdated = outdatedPages(MEASURED_PAGES)
  if (outdated.length > 0) {
    console.error(`${outdated.join(', ')}: not what the kept figures say; run npm run docs`)
    process.exit(1)
  }
  console.log(`${[...new Set(MEASURED_PAGES.map(({ path }) => path))].join(', ')} say what was measured`)
} else {
  writePages(MEASURED_PAGES)
}
