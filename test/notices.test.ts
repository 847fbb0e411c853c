import { expect, it } from 'vitest'
import { type Notice, Notices } from '../src/notices.ts'

function heard() {
  const said: string[] = []
  return { said, notices: new Notices(({ message }: Notice) => said.push(message)) }
}

it('says a trouble once, and again when it comes back', () => {
  const { said, notices } = heard()
  const notice = { key: 'index', message: 'the index is down' }
  notices.once(notice)
  notices.once(notice)
  expect(said).toEqual(['the index is down'])
  notices.recovered('index')
  notices.once(notice)
  expect(said).toHaveLength(2)
})

it('says once what several parts meet for one cause, as long as one of them meets it', () => {
  const { said, notices } = heard()
  const cause = 'Qdrant cannot be reached'
  notices.once({ key: 'iterations', message: 'iterations by words', cause })
  notices.once({ key: 'knowledge', message: 'knowledge by words', cause })
  notices.once({ key: 'disk', message: 'the disk is full', cause: 'no room' })
  expect(said).toEqual(['iterations by words', 'the disk is full'])
  expect(notices.current().map(({ key }) => key)).toEqual(['iterations', 'disk'])
  notices.recovered('iterations')
  expect(notices.current().map(({ key }) => key)).toEqual(['knowledge', 'disk'])
})
