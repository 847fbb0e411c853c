import { lintSource } from '@secretlint/core'
import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import { describe, expect, it } from 'vitest'
import { redactWithReport as redact, redactAll } from '../../src/text/redact.ts'
import fc from '../support/fast-check.ts'

/** Secrets are put together here so that no scanner takes this file for a leak. */
const random = (length: number, alphabet = 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zC') =>
  Array.from({ length }, (_, index) => alphabet[(index * 7) % alphabet.length]).join('')
const hex = (length: number) => random(length, '0123456789abcdef')
const letters = (length: number) => random(length, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ')
const digits = (length: number) => random(length, '0123456789')
const pem = (kind: string, body: string) =>
  `-----BEGIN ${kind}PRIVATE KEY-----\n${body}\n-----END ${kind}PRIVATE KEY-----`
const KEY_BODY = `MIIEvQIBADANBgkqhkiG9w0BAQEFAASC${random(400)}`

/** One secret that each rule of the preset recognises; `where` puts it into the surroundings the rule wants. */
const KNOWN_TO_THE_PRESET: Record<string, { secret: string; where?: (secret: string) => string }> = {
  aws: { secret: random(40), where: (secret) => `aws_secret_access_key = ${secret}` },
  privatekey: { secret: pem('RSA ', KEY_BODY) },
  npm: { secret: `npm_${random(36)}` },
  basicauth: { secret: random(18), where: (secret) => `https://deploy:${secret}@packages.example.com/x` },
  slack: { secret: `xoxb-${digits(12)}-${digits(12)}-${random(24)}` },
  sendgrid: { secret: `SG.${random(22)}.${random(43)}` },
  shopify: { secret: `shpat_${hex(32)}` },
  stripe: { secret: `sk_live_${random(24)}` },
  github: { secret: `ghp_${random(36)}` },
  gitlab: { secret: `glpat-${random(20)}` },
  grafana: { secret: `glsa_${random(32)}_${hex(8)}` },
  openai: { secret: `sk-${random(20)}T3BlbkFJ${random(20)}` },
  anthropic: { secret: `sk-ant-api03-${random(93)}AA` },
  groq: { secret: `gsk_${random(52)}` },
  huggingface: { secret: `hf_${letters(34)}` },
  linear: { secret: `lin_api_${random(40)}` },
  notion: { secret: `ntn_${digits(11)}${random(35)}` },
  '1password': { secret: `ops_${btoa(JSON.stringify({ secretKey: random(75) }))}` },
  'database-connection-string': {
    secret: random(16),
    where: (secret) => `mongodb+srv://backend:${secret}@cluster0.mongo.corp.io/app`,
  },
  'hashicorp-vault': { secret: `hvs.${random(95)}` },
  vercel: { secret: `vcp_${random(30)}` },
  databricks: { secret: `dapi${hex(32)}` },
  docker: { secret: `dckr_pat_${random(27)}` },
  figma: { secret: `figd_${random(44)}` },
  cloudflare: { secret: `cfut_${random(40)}${hex(8)}` },
  tailscale: { secret: `tskey-auth-${random(16)}-${random(32)}` },
}
/** Rules that need no sample, each with its reason. */
const EXEMPT: Record<string, string> = {
  gcp: 'reads whole key files; the private key inside is covered',
  'filter-comments': 'switches other rules off; deliberately not used',
}

describe("the library's rules", () => {
  const ids = rules.map((rule) => rule.meta.id.replace('@secretlint/secretlint-rule-', ''))

  it('are all accounted for, so that a new one is not missed by the cheap check before loading', () => {
    expect([...Object.keys(KNOWN_TO_THE_PRESET), ...Object.keys(EXEMPT)].sort()).toEqual([...ids].sort())
  })

  it.each(Object.entries(KNOWN_TO_THE_PRESET))(
    '%s: recognised by the rule, masked by us',
    async (id, { secret, where }) => {
      const text = `log: ${(where ?? String)(secret)} (end)`
      const rule = rules.find(({ meta }) => meta.id.endsWith(`rule-${id}`))!
      const { messages } = await lintSource({
        source: { filePath: 'a.txt', content: text, contentType: 'text', ext: '.txt' },
        options: { noPhysicFilePath: true, config: { rules: [{ id: rule.meta.id, rule, options: {} }] } },
      })
      expect(messages, 'the sample must be one the rule knows').not.toEqual([])
      const redacted = redact(text)
      expect(redacted.text).not.toContain(secret)
      expect(redacted.text).toMatch(/^log: .*\[redacted: [a-zA-Z0-9 ]+\].* \(end\)$/s)
    },
  )

  it('cannot be switched off by a comment in the text', async () => {
    const { text } = redact(`<!-- secretlint-disable -->\nhf_${letters(34)}`)
    expect(text).toContain('[redacted: huggingface token]')
  })
})

const token = random(40)

describe('secrets given away by their place or name', () => {
  it.each([
    [
      'password in a URL',
      `redis://:${token}@cache:6379/0`,
      'redis://:[redacted: password in URL]@cache:6379/0',
    ],
    [
      'short password in a URL',
      'postgres://app:hunter2@localhost/db',
      'postgres://app:[redacted: password in URL]@localhost/db',
    ],
    [
      'token as user of a URL',
      `https://${token}@github.com/a/b.git`,
      'https://[redacted: token in URL]@github.com/a/b.git',
    ],
    [
      'old GitHub form',
      `https://${token}:x-oauth-basic@github.com/a`,
      'https://[redacted: token in URL]:x-oauth-basic@github.com/a',
    ],
    ['header', `Authorization: Bearer ${token}`, 'Authorization: Bearer [redacted: authorization header]'],
    [
      'header, basic',
      'Authorization: Basic dXNlcjpwYXNzd29yZA==',
      'Authorization: Basic [redacted: authorization header]',
    ],
    [
      'header in JSON',
      `{"authorization":"Bearer ${token}"}`,
      '{"authorization":"Bearer [redacted: authorization header]"}',
    ],
    [
      'header in a command',
      `curl -H 'Authorization: token ${token}' https://x`,
      "curl -H 'Authorization: token [redacted: authorization header]' https://x",
    ],
    ['bearer in prose', `sent bearer ${token} along`, 'sent bearer [redacted: bearer token] along'],
    [
      'JWT',
      `got eyJ${random(20)}.eyJ${random(60)}.${random(43)}, expired`,
      'got [redacted: JSON web token], expired',
    ],
    ['.env', `DB_PASSWORD=hunter2\nPORT=3000`, 'DB_PASSWORD=[redacted: password]\nPORT=3000'],
    ['.env, quoted', `export JWT_SECRET="correcthorse"`, 'export JWT_SECRET="[redacted: secret]"'],
    ['.env, key', `STRIPE_KEY=${token}`, 'STRIPE_KEY=[redacted: key]'],
    [
      'aws secret, whole value',
      `aws_secret_access_key = ${token}`,
      'aws_secret_access_key = [redacted: key]',
    ],
    [
      'JSON',
      `{"client_secret": "${token}", "user": "bob"}`,
      '{"client_secret": "[redacted: secret]", "user": "bob"}',
    ],
    [
      'JSON inside JSON',
      String.raw`{\"api_key\":\"${token}\"}`,
      String.raw`{\"api_key\":\"[redacted: key]\"}`,
    ],
    ['YAML', `password: tr0ub4dor&3`, 'password: [redacted: password]'],
    ['code', `const apiKey = '${token}'`, "const apiKey = '[redacted: key]'"],
    [
      'query string',
      `https://x.io/cb?access_token=${token}&state=1`,
      'https://x.io/cb?access_token=[redacted: token]&state=1',
    ],
    [
      'connection string',
      `Server=db;User Id=sa;Password=S3cret!x;`,
      'Server=db;User Id=sa;Password=[redacted: password];',
    ],
    ['Azure storage', `AccountName=a;AccountKey=${token}==;`, 'AccountName=a;AccountKey=[redacted: key];'],
    ['command line', `mysql --password=${token} -h db`, 'mysql --password=[redacted: password] -h db'],
    [
      'curl user',
      'curl -s -u admin:hunter2 https://x.io',
      'curl -s -u admin:[redacted: password] https://x.io',
    ],
    [
      'netrc',
      'machine x.io login bob password hunter2',
      'machine x.io login bob password [redacted: password]',
    ],
    ['google', `AIza${random(35)}`, '[redacted: google api key]'],
    [
      'private key cut off',
      `-----BEGIN PRIVATE KEY-----\n${KEY_BODY}\n[log cut]`,
      '[redacted: private key]\n[log cut]',
    ],
    [
      'private key in JSON',
      `{"k":"-----BEGIN PRIVATE KEY-----\\n${KEY_BODY}\\n-----END PRIVATE KEY-----\\n"}`,
      '{"k":"[redacted: private key]\\n"}',
    ],
  ])('%s', (_, text, expected) => {
    expect(redact(text).text).toBe(expected)
  })

  it('masks a secret wherever it stands once it has been recognised somewhere', async () => {
    const { text, found } = redact(`API_KEY=${token}\nretrying with ${token}`)
    expect(text).toBe('API_KEY=[redacted: key]\nretrying with [redacted: key]')
    expect(found).toEqual([{ kind: 'key', count: 2 }])
  })
})

describe('what is no secret stays as it is', () => {
  it.each([
    'fixed in 4b825dc642cb6eb9a060e54bf8d69288fbee4904, see 7f50b8f',
    'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'id 123e4567-e89b-42d3-a456-426614174000 not found',
    'src/auth/token-refresh.ts:42:7 - error TS2345',
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    '"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="',
    'const password = req.body.password',
    'password: z.string().min(8)',
    'token: string | undefined',
    'const token = getToken(user1)',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that is what stands in such files
    'password: ${DB_PASSWORD}',
    'DB_PASSWORD=$DB_PASSWORD docker compose up',
    'password=<your password>',
    'api_key: process.env.API_KEY',
    'the password: must be hashed before it is stored',
    'max_tokens=4096 tokens_used: 1234 token_count=17',
    'private_key: /etc/ssl/private/server1.pem',
    'PWD=/home/user1/project',
    'CACHE_KEY=node-modules-linux-x64-9f86d081884c7d65',
    'Bearer authentication-middleware is required',
    'use the disk-cache-manager-v2 and the task-runner',
    'import { sk } from "./sk-learn-pipelines-version"',
    'fails at https://example.com:8080/path@v2 and git@github.com:a/b.git',
    'npm_config_cache=/tmp/x npm_lifecycle_event=test',
    'SG.sendMessage(msg.text)',
  ])('%s', (text) => {
    expect(redact(text)).toEqual({ text, found: [] })
  })
})

describe('redact', () => {
  const fragment = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'password=',
      'token: ',
      '"secret":"',
      'https://a:',
      '@b.io ',
      'Authorization: Bearer ',
      '-----BEGIN PRIVATE KEY-----',
      `ghp_${random(36)}`,
      token,
      ' ',
      '\n',
      '[redacted: key]',
      'eyJ',
      '.eyJ',
      '"',
      '\\',
    ),
  )

  it('masks nothing twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fragment, { maxLength: 12 }), async (parts) => {
        const once = redact(parts.join(''))
        expect(redact(once.text).text).toBe(once.text)
      }),
    )
  })

  it.each([
    ['prose', 'The build failed in src/app.ts at line 42 after 13 s.\n'],
    ['openings of URLs', 'a://'],
    ['openings of tokens', 'eyJ'],
    ['openings of private keys', '-----BEGIN PRIVATE KEY-----'],
    ['assignments', 'password=token:'],
  ])('takes a megabyte of %s', async (_, unit) => {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length))
    const { text: redacted } = redact(`${text} ghp_${random(36)}`)
    expect(redacted.endsWith('[redacted: github token]')).toBe(true)
  })

  it('masks many secrets that only the library knows, each where it stands', async () => {
    const tokens = Array.from(
      { length: 500 },
      (_, index) =>
        `hf_${letters(31)}${String.fromCharCode(97 + (index % 26), 97 + ((index / 26) % 26), 97)}`,
    )
    const { text, found } = redact(`${tokens.join('\n')}\n${tokens[0]}`)
    expect(text).not.toContain('hf_')
    expect(found).toEqual([{ kind: 'huggingface token', count: 501 }])
  })
})

describe('several texts at once', () => {
  it('stay apart, and a secret seen in one is masked in all', async () => {
    const secret = `ghp_${random(36)}`
    const given = ['', `token=${secret}`, 'nothing here\n', `again ${secret}`, 'a\n\u{10fffc}\nb']
    const { texts, secrets } = redactAll(given)
    expect(texts).toHaveLength(given.length)
    expect(texts[0]).toBe('')
    expect(texts[2]).toBe('nothing here\n')
    expect(texts.join(' ')).not.toContain(secret)
    expect(texts[3]).toMatch(/^again \[redacted: /)
    expect(secrets).toBe(2)
  })
})
