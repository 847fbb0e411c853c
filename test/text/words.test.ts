import { describe, expect, it } from 'vitest'
import { searchTerms } from '../../src/text/words.ts'

function all(text: string): Set<string> {
  const { words, joined } = searchTerms(text)
  return new Set([...words, ...joined])
}

function shared(a: string, b: string): string[] {
  const other = all(b)
  return [...all(a)].filter((term) => other.has(term))
}

describe('words', () => {
  it('are lower-cased and stemmed, so that forms of a word meet', () => {
    expect(searchTerms('Migrations were migrated, migrating').words).toEqual(['migrat', 'migrat', 'migrat'])
    expect(shared('the queries', 'a query')).toEqual(['queri'])
  })

  it('leave out what only builds the sentence, and keep negations', () => {
    expect(searchTerms('how do we do this with the cache?').words).toEqual(['cach'])
    expect(searchTerms('do not retry').words).toEqual(['not', 'retri'])
  })

  it('are folded: compatibility forms, accents, apostrophes', () => {
    expect(all('Café naïve')).toEqual(all('cafe naive'))
    expect(all('ﬁle')).toEqual(all('file'))
    expect(all("the user's cart")).toEqual(all('user cart'))
    expect(all('don’t')).toEqual(all("don't"))
  })

  it('are found in any script', () => {
    expect(searchTerms('Привет, МИР').words).toEqual(['привет', 'мир'])
    expect(shared('ログイン画面が壊れた', '画面')).toEqual(['画面'])
    expect(shared('登录表单验证失败', '表单')).toEqual(['表单'])
    expect(searchTerms('a 字').words).toEqual(['字'])
  })
})

describe('identifiers', () => {
  it.each([
    ['LoginForm', 'login_form'],
    ['LoginForm', 'login-form'],
    ['loginForm', 'LOGIN_FORM'],
    ['LoginForm', 'src/auth/LoginForm.tsx'],
    ['login_form', 'components/login-form.vue'],
    ['LoginForm', 'loginform'],
    ['user.email', 'userEmail'],
    ['user.email', 'user_email'],
    ['ERR_MODULE_NOT_FOUND', 'err-module-not-found'],
    ['OAuth2', 'oauth'],
    ['getUserDetails', 'getuserdetails'],
    ['TS-2345', 'TS2345'],
  ])('%s and %s meet in one piece', (a, b) => {
    const one = new Set([...searchTerms(a).joined, ...searchTerms(b).joined])
    expect(shared(a, b).filter((term) => one.has(term))).not.toEqual([])
  })

  it('are also found by their parts', () => {
    expect(searchTerms('src/auth/LoginForm.tsx').words).toEqual(['src', 'auth', 'login', 'form', 'tsx'])
    expect(searchTerms('HTMLParser').words).toEqual(['html', 'parser'])
    expect(searchTerms('XMLHttpRequest2').words).toEqual(['xml', 'http', 'request2', 'request'])
    expect(searchTerms('URLs IDs').words).toEqual(['url', 'id'])
    expect(searchTerms('std::net::Ipv4Addr').words).toEqual(['std', 'net', 'ipv4', 'ipv', 'addr'])
  })

  it.each(['TS2345', 'E0382', '40P01', 'ECONNREFUSED', 'b8d72118e3918ed6', '127.0.0.1'])(
    'the code %s is kept whole',
    (code) => {
      expect(shared(`failed with ${code}: gave up`, code)).not.toEqual([])
      expect(shared(code, code.slice(0, -1))).not.toContain(code.toLowerCase())
    },
  )

  it('versions are found by their beginnings and are not confused', () => {
    expect(searchTerms('v22.13.0').words).toEqual(['22', '22.13', '22.13.0'])
    expect(shared('1.23', '12.3')).toEqual([])
    expect(shared('node 22', 'Node 22.13')).toContain('22')
  })
})

describe('odd input', () => {
  it.each(['', '   ', '…—„“', '🙂🙂', '\0\u0001', '_', '---', '\ud800'])('%j has no terms', (text) => {
    expect(searchTerms(text)).toEqual({ words: [], joined: [] })
  })

  it('of any length and shape ends in terms of bounded length', () => {
    const terms = all(`${'x'.repeat(100_000)} ${'aB'.repeat(10_000)} ${'1.'.repeat(10_000)}`)
    for (const term of terms) expect(term.length).toBeLessThanOrEqual(64)
  })
})
