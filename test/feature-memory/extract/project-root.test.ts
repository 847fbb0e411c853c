import { expect, it } from 'vitest'
import { ProjectRoot } from '../../../src/feature-memory/extract/project-root.ts'

it.each([
  ['src\\a.ts', 'src/a.ts'],
  ['c:\\code\\shop\\src\\a.ts', 'src/a.ts'],
  ['file:///C:/code/shop/src/a.ts', 'src/a.ts'],
  ['../other/a.ts', undefined],
  ['D:\\other\\a.ts', undefined],
])('of a run on Windows, %j is %j', (path, expected) => {
  expect(new ProjectRoot({ cwd: 'C:\\code\\shop' }, '/home/dev/shop').relative(path)).toBe(expected)
})

it('takes a subfolder the agent stands in for a part of the project', () => {
  const root = new ProjectRoot({ cwd: '/home/dev/shop/api' }, '/home/dev/shop')
  expect(root.relative('a.ts')).toBe('api/a.ts')
  expect(root.relative('../../other/a.ts')).toBeUndefined()
})
