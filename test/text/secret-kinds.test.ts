import { describe, expect, it } from 'vitest'
import { redactWithReport as redact } from '../../src/text/redact.ts'

/** Secrets are put together here so that no scanner takes this file for a leak. */
const random = (length: number, alphabet = 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zC') =>
  Array.from({ length }, (_, index) => alphabet[(index * 7) % alphabet.length]).join('')
const hex = (length: number) => random(length, '0123456789abcdef')
const upper = (length: number) => random(length, 'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789')
const lower = (length: number) => random(length, 'abcdefghijklmnopqrstuvwxyz')
const digits = (length: number) => random(length, '1234567890')
const uuid = `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`
const word = 'hunter2x'

/** Tokens that give themselves away, in the middle of a sentence. */
const TOKENS: Record<string, string> = {
  openrouter: `sk-or-v1-${hex(64)}`,
  deepseek: `sk-${hex(32)}`,
  'openai project': `sk-proj-${random(80)}`,
  replicate: `r8_${random(37)}`,
  xai: `xai-${random(80)}`,
  perplexity: `pplx-${random(48)}`,
  groq: `gsk_${random(52)}`,
  cerebras: `csk-${hex(48)}`,
  nvidia: `nvapi-${random(64)}`,
  pinecone: `pcsk_${random(70)}`,
  langsmith: `lsv2_pt_${hex(32)}_${hex(10)}`,
  langfuse: `sk-lf-${uuid}`,
  tavily: `tvly-${random(32)}`,
  elevenlabs: `sk_${hex(48)}`,
  atlassian: `ATATT3${random(180)}`,
  bitbucket: `ATBB${random(32)}`,
  supabase: `sbp_${hex(40)}`,
  'supabase secret': `sb_secret_${random(31)}`,
  terraform: `${random(14)}.atlasv1.${random(67)}`,
  vault: `hvs.${random(24)}`,
  doppler: `dp.pt.${random(43)}`,
  pulumi: `pul-${hex(40)}`,
  heroku: `HRKU-${uuid}`,
  fly: `fm2_${random(80)}`,
  netlify: `nfp_${random(36)}`,
  neon: `napi_${hex(60)}`,
  planetscale: `pscale_tkn_${random(40)}`,
  'azure client': `abc8Q~${random(34)}`,
  alibaba: `LTAI${random(20)}`,
  tencent: `AKID${random(32)}`,
  rubygems: `rubygems_${hex(48)}`,
  nuget: `oy2${random(43, 'abcdefghij0123456789')}`,
  docker: `dckr_oat_${random(32)}`,
  sonar: `squ_${hex(40)}`,
  sourcegraph: `sgp_${hex(40)}`,
  buildkite: `bkua_${hex(40)}`,
  circleci: `CCIPAT_${random(22)}_${hex(40)}`,
  postman: `PMAK-${hex(24)}-${hex(34)}`,
  square: `sq0atp-${random(22)}`,
  paypal: `access_token$production$${hex(16)}$${hex(32)}`,
  razorpay: `rzp_live_${random(14)}`,
  plaid: `access-production-${uuid}`,
  flutterwave: `FLWSECK_TEST-${hex(12)}`,
  discord: `M${random(23)}.${random(6)}.${random(27)}`,
  'slack app': `xapp-1-${random(40)}`,
  brevo: `xkeysib-${hex(64)}-${random(16)}`,
  mailersend: `mlsn.${hex(64)}`,
  mailgun: `key-${hex(32)}`,
  mailchimp: `${hex(32)}-us12`,
  resend: `re_${random(8)}_${random(24)}`,
  twilio: `SK${hex(32)}`,
  airtable: `pat${random(14)}.${hex(64)}`,
  asana: `1/${digits(16)}:${hex(32)}`,
  hubspot: `pat-na1-${uuid}`,
  clickup: `pk_${digits(8)}_${upper(32)}`,
  contentful: `CFPAT-${random(43)}`,
  mapbox: `sk.eyJ${random(80)}.${random(22)}`,
  facebook: `EAA${random(120)}`,
  sentry: `sntrys_${random(60)}`,
  'new relic': `NRAK-${upper(27)}`,
  dynatrace: `dt0c01.${upper(24)}.${upper(64)}`,
  launchdarkly: `sdk-${uuid}`,
  octopus: `API-${upper(26)}`,
  openshift: `sha256~${random(43)}`,
  tailscale: `tskey-auth-${random(16)}-${random(32)}`,
  harness: `pat.${random(22)}.${hex(24)}.${random(20)}`,
}

/** Given away by where they stand; `word` is the secret unless the row names another. */
const PLACES: Record<string, [text: string, secret?: string]> = {
  'mysql -p': [`mysql -u root -p${word} shop`],
  'mysqldump -p, quoted': [`mysqldump -uroot -p'${word}' shop > dump.sql`],
  'sshpass -p': [`sshpass -p ${word} ssh deploy@host`],
  'docker login -p': [`docker login -u me -p ${word} packages.example.com`],
  'helm registry login': [`helm registry login corp.io -u me -p ${word}`],
  'redis-cli -a': [`redis-cli -h cache -a ${word} ping`],
  'mongosh -p': [`mongosh --host db -u root -p ${word}`],
  'ldapsearch -w': [`ldapsearch -x -D cn=admin -w ${word} -b dc=corp`],
  'htpasswd -b': [`htpasswd -cb .htpasswd admin ${word}`],
  'openssl passin': [`openssl rsa -in a.key -passin pass:${word}`],
  powershell: [`ConvertTo-SecureString "${word}" -AsPlainText -Force`],
  smbclient: [`smbclient //host/share -U bob%${word}`],
  '.pgpass': [`db.corp.io:5432:shop:app:${word}`],
  '.npmrc': [`//packages.example.com/:_auth=${btoa(`me:${word}`)}`, btoa(`me:${word}`)],
  'docker config': [`{"auths":{"corp.io":{"auth":"${btoa(`me:${word}`)}"}}}`, btoa(`me:${word}`)],
  kubeconfig: [`    client-key-data: ${random(200)}`, random(200)],
  wireguard: [`[Interface]\nPrivateKey = ${random(43)}=`, `${random(43)}=`],
  'one-time password': ['otpauth://totp/Corp:me?secret=JBSWY3DPEHPK3PXP&issuer=Corp', 'JBSWY3DPEHPK3PXP'],
  cookie: [`Cookie: theme=dark; session=${random(32)}`, random(32)],
  'set-cookie': [`set-cookie: connect.sid=s%3A${random(32)}.${random(20)}; Path=/; HttpOnly`, random(32)],
  'x-api-key': [`curl -H 'X-Api-Key: ${random(24)}' https://corp.io`, random(24)],
  'vault header': [`X-Vault-Token: ${random(24)}`, random(24)],
  'slack webhook': [`https://hooks.slack.com/services/T${upper(8)}/B${upper(8)}/${random(24)}`, random(24)],
  'discord webhook': [`https://discord.com/api/webhooks/${digits(18)}/${random(68)}`, random(68)],
  'azure SAS': [`https://corp.blob.core.windows.net/a?sv=2024&sig=${random(43)}%3D`, random(43)],
  'service bus': [`Endpoint=sb://x/;SharedAccessKeyName=a;SharedAccessKey=${random(43)}=`, random(43)],
  rails: [`SECRET_KEY_BASE=${hex(64)}`, hex(64)],
  'rails, letters only': [`SECRET_KEY_BASE=${lower(40)}`, lower(40)],
  django: [`SECRET_KEY = 'django-insecure-${lower(30)}'`, lower(30)],
  laravel: [`APP_KEY=base64:${random(43)}=`, random(43)],
  redis: [`requirepass ${word}`.replace(' ', '=')],
  tfvars: [`db_password = "${word}"`],
  'aws in terraform': [`secret_key = "${random(40)}"`, random(40)],
}

describe('tokens that give themselves away', () => {
  it.each(Object.entries(TOKENS))('%s', async (_, secret) => {
    const { text } = redact(`it printed ${secret}, then stopped`)
    expect(text).toMatch(/^it printed \[redacted: [^\]]+\], then stopped$/)
  })
})

describe('secrets given away by where they stand', () => {
  it.each(Object.entries(PLACES))('%s', async (_, [text, secret = word]) => {
    const redacted = redact(text)
    expect(text).toContain(secret)
    expect(redacted.text).not.toContain(secret)
    expect(redacted.text).toContain('[redacted: ')
  })
})

describe('a secret that something was put into', () => {
  const secret = `ghp_${random(36)}`
  const inside = (what: string) => `${secret.slice(0, 12)}${what}${secret.slice(12)}`
  it.each([
    ['a colour code', inside('\x1b[1m')],
    ['a zero-width space', inside('\u200b')],
    ['a soft hyphen', inside('\u00ad')],
    ['a link of the terminal', inside('\x1b]8;;\x07')],
  ])('is masked all the same: %s', async (_, text) => {
    expect(redact(`token ${text} end`).text).toBe('token [redacted: github token] end')
  })
})

describe('what only looks like one', () => {
  it.each([
    'mysql -u root -p shop',
    'mkdir -p src/components && cp -p a b',
    'docker run -p 8080:80 nginx',
    'ssh -p 2222 deploy@host',
    'nmap -p 1-65535 host',
    'tar -xzf a.tgz -C /tmp',
    'src/auth.ts:10:5:error:unexpected',
    'warning:12:col:rule:message',
    'Set-Cookie is set by the middleware, Cookie: none',
    'Cookie: theme=dark; lang=en',
    '"auth": "required"',
    'the live_reload_server and test_helper_module are loaded',
    'sk_buff and pk_index are names',
    're_exports_everything and fw_handler',
    'key-value-store, api-gateway, sdk-tools',
    'https://example.com/a?signature=none&sig=no',
    'pat.match(line) and sat.solve()',
    'x-api-key: string',
    'SECRET_KEY_BASE is missing',
    'client-key-data: REDACTED',
    'node:test:reporters:spec:default',
    '12:30:45:abc:def',
    'sl.a and hv.b, s.c',
    'M1 chip. Node 24. See docs.',
    'API-REFERENCE.md and EAAA',
  ])('%s', (text) => {
    expect(redact(text)).toEqual({ text, found: [] })
  })
})
