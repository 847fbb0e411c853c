import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  commandName,
  installationAt,
  installCommand,
  reinstallAdvice,
  removeCommand,
  updateCommand,
} from '../src/installation.ts'
import { packageRoot } from '../src/version.ts'

/** Where package managers put us, and whether a package.json lies where they install into. */
const PLACES: Record<string, { folder: string; manifest?: boolean; cwd: string; says: readonly string[] }> = {
  'npm install -g': {
    folder: '/usr/local/lib/node_modules/ralph-memory',
    cwd: '/home/ann/shop',
    says: ['ralph', 'npm install -g openai@7', 'npm install -g ralph-memory@latest'],
  },
  'npm install': {
    folder: '/home/ann/shop/node_modules/ralph-memory',
    manifest: true,
    cwd: '/home/ann/shop/src',
    says: ['npx ralph', 'npm install openai@7', 'npm install ralph-memory@latest'],
  },
  'npm install, started from elsewhere': {
    folder: '/home/ann/shop/node_modules/ralph-memory',
    manifest: true,
    cwd: '/home/ann',
    says: ['/home/ann/shop/node_modules/.bin/ralph', 'npm install --prefix /home/ann/shop openai@7'],
  },
  npx: {
    folder: '/home/ann/.npm/_npx/0a1b2c/node_modules/ralph-memory',
    manifest: true,
    cwd: '/home/ann/shop',
    says: ['npx ralph-memory', 'npx -p ralph-memory -p openai@7 ralph …', 'npx ralph-memory@latest'],
  },
  'pnpm add': {
    folder: '/home/ann/shop/node_modules/.pnpm/ralph-memory@1.0.0/node_modules/ralph-memory',
    manifest: true,
    cwd: '/home/ann/shop',
    says: ['pnpm exec ralph', 'pnpm add openai@7', 'pnpm add ralph-memory@latest'],
  },
  'pnpm add -g': {
    folder: '/home/ann/.local/share/pnpm/global/5/.pnpm/ralph-memory@1.0.0/node_modules/ralph-memory',
    manifest: true,
    cwd: '/home/ann/shop',
    says: ['ralph', 'pnpm add -g openai@7', 'pnpm add -g ralph-memory@latest'],
  },
  'pnpm dlx': {
    folder:
      '/home/ann/.cache/pnpm/dlx/0a1b/pkg/node_modules/.pnpm/ralph-memory@1.0.0/node_modules/ralph-memory',
    manifest: true,
    cwd: '/home/ann/shop',
    says: [
      'pnpm dlx ralph-memory',
      'pnpm --package=ralph-memory --package=openai@7 dlx ralph …',
      'pnpm dlx ralph-memory@latest',
    ],
  },
  'npm install -g on Windows': {
    folder: 'C:\\Users\\Ann Lee\\AppData\\Roaming\\npm\\node_modules\\ralph-memory',
    cwd: 'D:\\shop',
    says: ['ralph', 'npm install -g openai@7', 'npm install -g ralph-memory@latest'],
  },
  'npx on Windows': {
    folder: 'C:\\Users\\Ann Lee\\AppData\\Local\\npm-cache\\_npx\\0a1b2c\\node_modules\\ralph-memory',
    manifest: true,
    cwd: 'C:\\shop',
    says: ['npx ralph-memory', 'npx -p ralph-memory -p openai@7 ralph …', 'npx ralph-memory@latest'],
  },
  'npm install on Windows': {
    folder: 'C:\\Users\\Ann Lee\\shop\\node_modules\\ralph-memory',
    manifest: true,
    cwd: 'c:\\users\\ann lee\\shop\\src',
    says: ['npx ralph', 'npm install openai@7', 'npm install ralph-memory@latest'],
  },
  'npm install on Windows, started from another drive': {
    folder: 'C:\\Users\\Ann Lee\\shop\\node_modules\\ralph-memory',
    manifest: true,
    cwd: 'D:\\',
    says: [
      '"C:\\Users\\Ann Lee\\shop\\node_modules\\.bin\\ralph"',
      'npm install --prefix "C:\\Users\\Ann Lee\\shop" openai@7',
    ],
  },
  'npm install in a folder with a space': {
    folder: '/home/ann/my shop/node_modules/ralph-memory',
    manifest: true,
    cwd: '/home/ann/my shop two',
    says: [
      "'/home/ann/my shop/node_modules/.bin/ralph'",
      "npm install --prefix '/home/ann/my shop' openai@7",
    ],
  },
  'git clone': {
    folder: '/home/ann/ralph-memory',
    manifest: true,
    cwd: '/home/ann/shop',
    says: ['ralph', 'npm install --prefix /home/ann/ralph-memory openai@7', 'git pull && npm install'],
  },
}

it('in a clone is called by npx, which finds it there', () => {
  const clone = installationAt('/home/ann/ralph-memory', () => true)
  expect(commandName(clone, '/home/ann/ralph-memory/docs')).toBe('npx ralph')
})

describe('after', () => {
  it.each(Object.keys(PLACES))('%s, what a message names works from where the person is', (how) => {
    const { folder, manifest = false, cwd, says } = PLACES[how]!
    const installation = installationAt(folder, () => manifest)
    const commands = [
      commandName(installation, cwd),
      installCommand('openai', installation, cwd),
      updateCommand(installation, cwd),
    ]
    expect(commands.slice(0, says.length)).toEqual(says)
  })
})

it('says how all files are brought again', () => {
  const installed = installationAt('/usr/lib/node_modules/ralph-memory', () => false)
  expect(reinstallAdvice(installed)).toContain('npm uninstall -g ralph-memory && npm install -g ralph-memory')
  const fetched = installationAt('/home/ann/.npm/_npx/0a1b2c/node_modules/ralph-memory', () => true)
  expect(reinstallAdvice(fetched)).toContain('Delete /home/ann/.npm/_npx/0a1b2c')
})

it('says how the command itself is taken away, where it was installed', () => {
  const remove = (folder: string, { manifest = false, cwd = '/home/ann' } = {}) =>
    removeCommand(
      installationAt(folder, () => manifest),
      cwd,
    )
  expect(remove('/usr/lib/node_modules/ralph-memory')).toBe('npm uninstall -g ralph-memory')
  const inProject = '/home/ann/shop/node_modules/ralph-memory'
  expect(remove(inProject, { manifest: true, cwd: '/home/ann/shop/src' })).toBe('npm uninstall ralph-memory')
  expect(remove(inProject, { manifest: true })).toBe('npm uninstall --prefix /home/ann/shop ralph-memory')
  expect(remove('/home/ann/.npm/_npx/0a1b2c/node_modules/ralph-memory', { manifest: true })).toBeUndefined()
})

it('names the version of a package that ours is made for', () => {
  const installation = installationAt('/usr/lib/node_modules/ralph-memory', () => false)
  expect(installCommand('@anthropic-ai/sdk', installation)).toBe('npm install -g @anthropic-ai/sdk@1')
  expect(installCommand('onnxruntime-node@1.17.0', installation)).toBe(
    'npm install -g onnxruntime-node@1.17.0',
  )
})

it('as a library says which Node it needs, in place of what happens to be missing in an old one', () => {
  const old = "Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.1.0'}})"
  const check = pathToFileURL(join(packageRoot, 'bin', 'require-node.js')).href
  const loaded = (...before: string[]) =>
    spawnSync(process.execPath, [...before, '--input-type=module', '-e', `import '${check}'`], {
      encoding: 'utf8',
    })
  expect(loaded()).toMatchObject({ status: 0, stderr: '' })
  const { status, stderr } = loaded('--import', `data:text/javascript,${encodeURIComponent(old)}`)
  expect(status).toBe(1)
  expect(stderr).toContain('ralph-memory needs Node 22.13 or newer')
  expect(stderr).not.toContain('    at ')
  expect(readFileSync(join(packageRoot, 'scripts', 'build.ts'), 'utf8')).toContain('bin/require-node.js')
})
