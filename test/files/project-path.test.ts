import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  isFolderOfProject,
  pathFrom,
  placeInProject,
  projectPath,
  withoutProject,
} from '../../src/files/project-path.ts'

/** A disk that has just these folders and files, and tells letters apart or not. */
function disk(paths: readonly string[], { links = {}, folds = false } = {}) {
  const alike = (path: string) => (folds ? path.toLowerCase() : path).normalize('NFC')
  return (path: string) => {
    const link = Object.entries<string>(links).find(([from]) => path === from || path.startsWith(`${from}/`))
    const target = link ? link[1] + path.slice(link[0].length) : path
    return paths.find((one) => alike(one) === alike(target))
  }
}
const nowhere = disk([])

describe('on Linux', () => {
  it.each([
    ['/home/dev/shop/src/a.ts', 'src/a.ts'],
    ['/home/dev/shop/./src//a.ts', 'src/a.ts'],
    ['src/../src/a.ts', 'src/a.ts'],
    ['src/folder/', 'src/folder'],
    ['..a.ts', '..a.ts'],
    ['/home/dev/shop-two/a.ts', undefined],
    ['/home/dev/shop/../other/a.ts', undefined],
    ['../a.ts', undefined],
    ['/home/dev/shop', undefined],
    ['/home/dev/Shop/src/a.ts', undefined],
    ['C:\\shop\\a.ts', undefined],
    ['C:/shop/a.ts', undefined],
    ['\\\\server\\share\\a.ts', undefined],
    ['odd\\name.ts', undefined],
    ['a\0b', undefined],
    ['', undefined],
  ])('%j is %j', (path, expected) => {
    expect(projectPath(path, '/home/dev/shop', { platform: 'linux', real: nowhere })).toBe(expected)
  })

  it('counts a relative path from where the agent stands', () => {
    const options = { platform: 'linux', real: nowhere } as const
    expect(projectPath('a.ts', '/shop', { ...options, from: '/shop/src' })).toBe('src/a.ts')
    expect(projectPath('../a.ts', '/shop', { ...options, from: '/shop/src' })).toBe('a.ts')
    expect(projectPath('../../a.ts', '/shop', { ...options, from: '/shop/src' })).toBeUndefined()
  })

  it('takes an accent for the same, composed or not', () => {
    const [composed, apart] = ['/home/dev/caf\u00e9', '/home/dev/cafe\u0301']
    const options = { platform: 'linux', real: nowhere } as const
    expect(projectPath(`${apart}/e\u0301.ts`, composed, options)).toBe('\u00e9.ts')
    expect(projectPath(`${composed}/\u00e9.ts`, apart, options)).toBe('\u00e9.ts')
  })

  it('keeps the accents of a name as the disk has them, where it tells them apart', () => {
    const [composed, apart] = ['src/caf\u00e9.ts', 'src/cafe\u0301.ts']
    const exact = (...files: string[]) => ({
      platform: 'linux' as const,
      real: (path: string) => files.find((file) => `/shop/${file}` === path),
    })
    for (const path of [composed, apart]) {
      expect(projectPath(`/shop/${path}`, '/shop', exact(composed))).toBe(composed)
      expect(projectPath(`/shop/${path}`, '/shop', exact(apart))).toBe(apart)
      expect(projectPath(`/shop/${path}`, '/shop', exact(composed, apart))).toBe(path)
      expect(projectPath(`/shop/${path}`, '/shop', exact())).toBe(composed)
    }
  })

  it('follows a link to the project, also for a file that is not there yet, and only then', () => {
    const real = disk(['/', '/real/shop', '/real/shop/src'], { links: { '/link': '/real/shop' } })
    const options = { platform: 'linux', real } as const
    expect(projectPath('/link/src/new.ts', '/real/shop', options)).toBe('src/new.ts')
    expect(projectPath('/real/shop/src/new.ts', '/link', options)).toBe('src/new.ts')
    expect(projectPath('/link/../src/new.ts', '/real/shop', options)).toBeUndefined()
    expect(placeInProject('/link', '/real/shop', options)).toBe('')
  })

  it('reads paths of Windows in a record made there', () => {
    const options = { platform: 'linux', real: nowhere } as const
    expect(projectPath('c:\\code\\Shop\\src\\a.ts', 'C:\\code\\shop', options)).toBe('src/a.ts')
    expect(projectPath('D:\\code\\shop\\a.ts', 'C:\\code\\shop', options)).toBeUndefined()
  })
})

describe('on macOS', () => {
  const files = ['/', '/private/tmp/shop', '/private/tmp/shop/src', '/private/tmp/shop/src/Cart.ts']
  const links = { '/tmp': '/private/tmp', '/TMP': '/private/tmp' }

  it.each([
    ['/private/tmp/shop/src/Cart.ts', 'src/Cart.ts'],
    ['/tmp/shop/src/Cart.ts', 'src/Cart.ts'],
    ['/tmp/Shop/SRC/cart.ts', 'src/Cart.ts'],
    ['src/cart.ts', 'src/Cart.ts'],
    ['/tmp/shop/src/New.ts', 'src/New.ts'],
    ['/tmp/shop-two/a.ts', undefined],
    ['/tmp/shop/../other/a.ts', undefined],
  ])('%j is %j', (path, expected) => {
    const real = disk(files, { links, folds: true })
    expect(projectPath(path, '/private/tmp/shop', { platform: 'darwin', real })).toBe(expected)
  })

  it('tells letters apart on a disk that does', () => {
    const real = disk(files, { links })
    expect(projectPath('/private/tmp/SHOP/a.ts', '/private/tmp/shop', { platform: 'darwin', real })).toBe(
      undefined,
    )
  })

  it('does not where there is nothing to look at', () => {
    const options = { platform: 'darwin', real: nowhere } as const
    expect(projectPath('/Users/me/Shop/src/A.ts', '/users/me/shop', options)).toBe('src/A.ts')
  })
})

describe('on Windows', () => {
  it.each([
    ['C:\\code\\shop\\src\\a.ts', 'src/a.ts'],
    ['c:\\code\\shop\\src\\a.ts', 'src/a.ts'],
    ['C:/Code/SHOP/src/a.ts', 'src/a.ts'],
    ['\\\\?\\C:\\code\\shop\\src\\a.ts', 'src/a.ts'],
    ['/c/code/shop/src/a.ts', 'src/a.ts'],
    ['/C:/code/shop/src/a.ts', 'src/a.ts'],
    ['src\\a.ts', 'src/a.ts'],
    ['.\\src\\..\\src\\a.ts', 'src/a.ts'],
    ['../other/a.ts', undefined],
    ['..\\other\\a.ts', undefined],
    ['C:\\code\\shop\\..\\other\\a.ts', undefined],
    ['C:\\code\\shop-two\\a.ts', undefined],
    ['D:\\code\\shop\\a.ts', undefined],
    ['\\\\server\\share\\a.ts', undefined],
    ['C:\\code\\shop', undefined],
  ])('%j is %j', (path, expected) => {
    expect(projectPath(path, 'C:\\code\\shop', { platform: 'win32', real: nowhere })).toBe(expected)
  })

  it('writes a name as the disk has it', () => {
    const real = disk(['C:\\code\\shop', 'C:\\code\\shop\\src\\Cart.ts'], { folds: true })
    expect(projectPath('c:\\CODE\\shop\\SRC\\cart.ts', 'c:\\code\\shop', { platform: 'win32', real })).toBe(
      'src/Cart.ts',
    )
  })

  it('finds its way from a directory, and names of the project in a command', () => {
    expect(pathFrom('C:\\code\\shop', '..\\other')).toBe('C:\\code\\other')
    expect(pathFrom('C:\\code\\shop', 'D:\\x')).toBe('D:\\x')
    expect(withoutProject('node "c:/code/shop (1)/a.ts"', 'C:\\code\\shop (1)')).toBe('node "a.ts"')
  })
})

it('finds the file on this disk, through a real link', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'ralph-path-')))
  try {
    await mkdir(join(folder, 'shop', 'src'), { recursive: true })
    // A junction needs no rights on Windows; elsewhere the word means nothing.
    await symlink(join(folder, 'shop'), join(folder, 'link'), 'junction')
    const project = join(folder, 'shop')
    expect(projectPath(join(folder, 'link', 'src', 'new.ts'), project)).toBe('src/new.ts')
    expect(projectPath(join(folder, 'other', 'new.ts'), project)).toBeUndefined()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

describe('a folder that somebody worked in', () => {
  const shop = 'C:\\work\\shop'
  it.each([
    ['win32', 'C:\\work\\shop', shop, true],
    ['win32', 'c:\\work\\shop', shop, true],
    ['win32', 'c:/Work/Shop/api', shop, true],
    ['win32', '/c/work/shop', shop, true],
    ['win32', 'C:\\work\\shop-old', shop, false],
    ['win32', 'D:\\work\\shop', shop, false],
    ['win32', 'shop', shop, false],
    ['darwin', '/Users/Ann/Shop/api', '/users/ann/shop', true],
    ['linux', '/home/ann/shop/api', '/home/ann/shop', true],
    ['linux', '/home/ann/Shop', '/home/ann/shop', false],
    ['linux', '/home/ann/shop-old', '/home/ann/shop', false],
    // From another machine, or no path at all: a name is no folder in the project.
    ['linux', 'C:\\work\\shop', '/home/ann/shop', false],
    ['linux', 'api', '/home/ann/shop', false],
  ] as const)('on %s: %j in %j: %s', (platform, folder, project, expected) => {
    expect(isFolderOfProject(folder, project, { platform, real: nowhere })).toBe(expected)
  })
})
