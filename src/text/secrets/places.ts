import { byPattern, type SecretFinder } from './finder.ts'
import { isLiteral, looksRandom } from './judge.ts'

const LITERAL = { accepts: isLiteral }
const RANDOM = { accepts: ({ value }: { value: string }) => looksRandom(value) }

const PRIVATE_KEY = '[A-Za-z0-9 ]{0,40}(?:PRIVATE KEY(?: BLOCK)?|Static key V1)-----'

const CODES = [
  'verification',
  'one-time',
  'security',
  'login',
  'confirmation',
  'sign-in',
  '2fa',
  'mfa',
  'authentication',
]

const KEYS: readonly SecretFinder[] = [
  byPattern(
    'private key',
    ['-----begin '],
    () => new RegExp(`-----BEGIN ${PRIVATE_KEY}(?:(?!-----)[^]){0,20000}-----END ${PRIVATE_KEY}`),
  ),
  byPattern(
    // Cut off before its end, as logs do; line breaks may be escaped.
    'private key',
    ['-----begin '],
    () => new RegExp(`-----BEGIN ${PRIVATE_KEY}(?:(?:\\s|\\\\[nr]){0,8}[A-Za-z0-9+/=]{16,20000}){0,400}`),
  ),
  byPattern(
    'private key',
    ['---- begin ssh2'],
    () => /---- BEGIN SSH2 [A-Z ]{0,20}PRIVATE KEY ----([\s\S]{0,20000}?)---- END SSH2/,
  ),
  byPattern(
    'private key',
    ['private-lines:'],
    () => /Private-Lines:\s{0,4}\d{1,4}\r?\n((?:[A-Za-z0-9+/=]{8,80}\r?\n?){1,100})/,
  ),
  byPattern(
    'kubernetes key',
    ['client-key-data', 'client-certificate-data'],
    () => /client-(?:key|certificate)-data["']?\s{0,4}:\s{0,4}["']?([A-Za-z0-9+/=]{40,20000})/,
  ),
  byPattern(
    'wireguard key',
    ['privatekey', 'presharedkey'],
    () => /P(?:rivate|reshared)Key\s{0,4}=\s{0,4}([A-Za-z0-9+/]{43}=)/,
  ),
  byPattern(
    'vault',
    ['$ansible_vault;'],
    () => /\$ANSIBLE_VAULT;[\w.;-]{1,60}\s{1,20}((?:[0-9a-f]{20,200}\s{0,20}){1,400})/,
  ),
  // The private part of a JSON web key.
  byPattern('private key', ['"d"'], () => /"d"\s{0,4}:\s{0,4}"([\w-]{40,800})"/, RANDOM),
  byPattern(
    'seed phrase',
    ['mnemonic', 'seed', 'recovery phrase', 'secret phrase'],
    () =>
      /(?:mnemonic|(?:seed|recovery|secret)[ _-]?(?:phrase|words)|seed)["']?(?:\s{0,4}[:=]\s{0,4}|\sis\s)["'`]?((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})/i,
  ),
  byPattern(
    'one-time password seed',
    ['otpauth://'],
    () => /otpauth:\/\/[^\s"'`]{1,300}?[?&]secret=([A-Z2-7=]{8,128})/i,
  ),
  byPattern(
    'one-time code',
    ['otp', ...CODES.map((what) => `${what} code`), ...CODES.map((what) => `${what} passcode`)],
    () =>
      new RegExp(
        String.raw`(?:(?:${CODES.join('|')}) (?:pass)?code|(?<![A-Za-z])otp)(?:\s?[:=]\s?|\sis:?\s)(\d{4,8}|[A-Z0-9]{3}-[A-Z0-9]{3})(?![\w.])`,
        'i',
      ),
  ),
  byPattern(
    'password hash',
    [':$'],
    () => /(?<=^[\w.@-]{1,64}):(\$(?:[156y]|2[abxy]|apr1|gy|argon2\w{1,2}|sha1)\$[\w./$,=+-]{16,200})/m,
  ),
]

const HOOKS: readonly (readonly [trigger: string, source: string])[] = [
  ['discord.com/', String.raw`discord\.com\/api\/webhooks\/\d{10,25}\/`],
  ['discordapp.com/', String.raw`discordapp\.com\/api\/webhooks\/\d{10,25}\/`],
  ['hooks.slack.com/', String.raw`hooks\.slack\.com\/(?:services|workflows|triggers)\/`],
  ['.webhook.office.com/', String.raw`\.webhook\.office\.com\/webhookb2\/`],
  ['hooks.zapier.com/', String.raw`hooks\.zapier\.com\/hooks\/catch\/\d{1,12}\/`],
  ['maker.ifttt.com/', String.raw`maker\.ifttt\.com\/trigger\/[^\s/]{1,80}\/(?:json\/)?with\/key\/`],
  ['open.feishu.cn/', String.raw`open\.feishu\.cn\/open-apis\/bot\/v2\/hook\/`],
  ['open.larksuite.com/', String.raw`open\.larksuite\.com\/open-apis\/bot\/v2\/hook\/`],
  ['.infura.io/', String.raw`\.infura\.io\/(?:ws\/)?v3\/`],
  ['.alchemy.com/', String.raw`\.alchemy\.com\/v2\/`],
  ['.quiknode.pro/', String.raw`\.quiknode\.pro\/`],
  ['api.netlify.com/build_hooks/', String.raw`api\.netlify\.com\/build_hooks\/`],
  ['api.vercel.com/v1/integrations/', String.raw`api\.vercel\.com\/v1\/integrations\/deploy\/`],
  ['hc-ping.com/', String.raw`hc-ping\.com\/`],
  ['events.pagerduty.com/integration/', String.raw`events\.pagerduty\.com\/integration\/`],
  ['.tines.com/webhook/', String.raw`\.tines\.com\/webhook\/`],
  ['.make.com/', String.raw`\.make\.com\/`],
]

const ADDRESSES: readonly SecretFinder[] = [
  ...HOOKS.map(([trigger, source]) =>
    byPattern('webhook', [trigger], () => new RegExp(String.raw`${source}([\w@/.-]{6,300})`)),
  ),
  // Here the secret is the user's name.
  byPattern('token in URL', ['://'], () => /:\/\/([\w-]{8,255}):(?:x-oauth-basic)?@/, LITERAL),
  byPattern('token in URL', ['://'], () => /:\/\/([\w-]{20,255})@/, RANDOM),
  // The user may be empty (redis://:secret@host); the password ends at the last `@` before a break, a slash or a quote.
  byPattern(
    'password in URL',
    ['://'],
    () => /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@'"`]{0,128}:([^\s/'"`]{1,256})@/i,
    {
      before: /[a-z0-9+.-]/i,
      accepts: (found) => isLiteral(found) && found.value !== 'x-oauth-basic',
    },
  ),
  byPattern(
    'signature in URL',
    ['sig=', 'signature=', 'x-amz-security-token='],
    () =>
      /(?<=[?&;](?:X-(?:Amz|Goog)-|oauth_)?)(?:sig|signature|X-Amz-Security-Token)=([\w%+/=.~-]{20,2048})/i,
  ),
  byPattern(
    'key in URL',
    ['?key=', '&key=', '?code=', '&code='],
    () => /[?&](?:key|code)=([\w%+/=.~-]{20,512})/,
    RANDOM,
  ),
]

const HEADERS: readonly SecretFinder[] = [
  byPattern(
    'authorization header',
    ['authorization'],
    () =>
      /authorization\\{0,2}["']?\s{0,4}(?::\s{0,4}\\{0,2}["']?|=\s{0,4}\\{0,2}["'])(?:(?!\[redacted)[A-Za-z][\w-]{1,30}\s{1,4}(?=\S))?([\w.~+/=:%-]{8,4096})(?![\w.~+/=:%-]|\s?=|\s\[redacted)/i,
    {
      accepts: (found) =>
        isLiteral(found) &&
        (found.value.length >= 16 || looksRandom(found.value)) &&
        (looksRandom(found.value) || /[a-z][A-Z]|=$/.test(found.value)),
    },
  ),
  byPattern(
    'authorization header',
    ['response=', 'signature='],
    () => /(?<=authorization[^\r\n]{0,600})(?:response|signature)=["']?([\w+/=%-]{20,512})/i,
  ),
  byPattern('bearer token', ['bearer'], () => /bearer\s{1,4}([\w.~+/=-]{16,4096})/i, {
    accepts: (found) => isLiteral(found) && looksRandom(found.value),
  }),
  byPattern(
    'signature',
    ['x-hub-signature', 'x-slack-signature'],
    () =>
      /x-(?:hub|slack)-signature(?:-256)?["']?\s{0,4}:\s{0,4}["']?((?:sha(?:1|256)=|v0=)?[a-f0-9]{32,128})/i,
  ),
  byPattern(
    'cookie',
    ['cookie'],
    () =>
      /cookie\\{0,2}["']?\s{0,4}[:=]\s{0,4}\\{0,2}["']?((?:[\w!#$%&'*+.^`|~-]{1,100}=(?:\[redacted: [\w .]{1,40}\]|[^\s;,"'\\[]){1,2000}(?:;\s{0,2})?){1,40})/i,
    {
      accepts: ({ value }) =>
        value.split(';').some((pair) => looksRandom(pair.slice(pair.indexOf('=') + 1)) && pair.length >= 16),
    },
  ),
  byPattern(
    'csrf token',
    ['csrf'],
    () => /csrf\w{0,24}["']?(?:\s{1,4}content|\s{1,4}value)=["']([\w+/=-]{20,256})/i,
    RANDOM,
  ),
]

const FILES: readonly SecretFinder[] = [
  byPattern(
    // .pgpass: host:port:database:user:password.
    'password',
    [':5432:', ':5433:', ':5434:', ':6432:', ':6543:', ':5439:', ':26257:', ':25060:', ':*:'],
    () => /(?<![^\s])[\w.*-]{1,255}:(?:\d{4,5}|\*):(?:[A-Za-z_*][\w-]{0,62}|\*):[\w.*-]{1,63}:(\S{1,255})$/m,
    { before: /[\w.*-]/, accepts: isLiteral },
  ),
]

/** Secrets given away by where they stand: in files, addresses and headers. */
export const PLACED_SECRETS: readonly SecretFinder[] = [...KEYS, ...ADDRESSES, ...HEADERS, ...FILES]
