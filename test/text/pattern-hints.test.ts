import { expect, it } from 'vitest'
import { hintsOf } from '../../src/text/pattern-hints.ts'

it.each([
  ['gh[pousr]_[A-Za-z0-9]{30}', ['gh']],
  ['(?<![A-Za-z0-9_-])(sk-ant-[\\w-]{20})', ['sk-ant-']],
  ['\\b(?:docker|podman)\\s', ['docker', 'podman']],
  ['AKCp[A-Z]|(?:rk|sk)_live', ['akcp', 'rk', 'sk']],
  ['colou?r', ['colo']],
  ['sl\\.[\\w-]{60}', ['sl.']],
  ['[rs]k_live', undefined],
  ['(?:set-)?cookie', undefined],
  ['(?=a)abc', undefined],
  ['x|[a-z]+', undefined],
  ['a(?:b|c)', undefined],
])('%s begins with one of %s', (source, hints) => {
  expect(hintsOf(source)).toEqual(hints)
})
