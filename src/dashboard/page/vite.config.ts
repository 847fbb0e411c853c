import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The page, built into the package: nothing is built, and nothing asked for elsewhere, when it is used. */
export default defineConfig({
  root: folder('.'),
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: folder('../../../dist/dashboard'),
    emptyOutDir: true,
    target: 'es2023',
    // A font or picture inside a style sheet would be forbidden by our own policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  logLevel: 'warn',
})
