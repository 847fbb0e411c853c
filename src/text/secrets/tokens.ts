import { lazy } from '../../deferred.ts'
import { joined, unjoined } from './broken.ts'
import { byPattern, type SecretFinder, type SecretPlace, SecretScan } from './finder.ts'
import { isScrambled, looksRandom } from './judge.ts'
import { forEachLongWord } from './long-words.ts'
import { SERVICE_PREFIXES } from './service-prefixes.ts'

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
/** A run of what tokens are made of; a full stop or the like only with more of the token after it. */
const BODY = '(?:[\\w-]|[.+/=~%:](?=[\\w+/=])|=(?![\\w]))'

const prefixed = SERVICE_PREFIXES.map(([kind, prefixes, least]) => {
  const any = () => prefixes.replace(/[^\w ]/g, '\\$&').replaceAll(' ', '|')
  return byPattern(
    kind,
    prefixes.toLowerCase().split(' '),
    () => new RegExp(`(?<![A-Za-z0-9])(?:${any()})[\\w-]{0,200}?(?=${BODY}{${least}})${BODY}{1,2000}`),
    // A name with the same beginning has no digits, or no change of capitals and small letters.
    { accepts: ({ value }) => looksRandom(value.slice(3)) || /[a-z][A-Z].{0,99}[a-z][A-Z]/.test(value) },
  )
})

/** A token that stands by itself, with the words one of which it holds. */
const shaped = (kind: string, triggers: string, source: string, before?: RegExp) =>
  byPattern(
    kind,
    triggers.split(' '),
    () => new RegExp(`(?<![A-Za-z0-9])(?:${source})(?![A-Za-z0-9])`),
    before && { before },
  )
const scrambled = (kind: string, triggers: string, source: string) =>
  byPattern(kind, triggers.split(' '), () => new RegExp(`(?<![\\w-])(?:${source})(?![A-Za-z0-9])`), {
    accepts: ({ value }) => looksRandom(value.replace(/^[a-z]+[_-]/, '')),
  })

const LETTER = /[A-Za-z0-9]/
const BASE64 = /[A-Za-z0-9+/_-]/

const SHAPES: readonly SecretFinder[] = [
  // The same in base64, but for certificates and public keys.
  byPattern(
    'private key',
    ['ls0tls1crudjti'],
    () => /LS0tLS1CRUdJTi(?!BDRVJU|BQVUJMSUM)[A-Za-z0-9+/=]{40,40000}/,
  ),
  shaped(
    'JSON web token',
    'eyj ewog',
    String.raw`(?:eyJ|ewog)[\w-]{8,4096}={0,2}\.(?:eyJ|ewo)[\w-]{8,8192}={0,2}\.[\w-]{8,2048}`,
  ),
  shaped('JSON web token', 'zxlk', 'ZXlK[A-Za-z0-9+/]{60,8192}={0,2}'),
  shaped(
    'aws access key',
    'a3t akia asia abia acca agpa aida aroa aipa anpa anva',
    '(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA)[A-Z0-9]{16}',
  ),
  shaped('digitalocean key', 'do00', 'DO00[A-Z0-9]{16}'),
  shaped('scaleway key', 'scw', 'SCW[A-Z0-9]{17}'),
  shaped('exoscale key', 'exo', 'EXO[a-f0-9]{24}'),
  shaped('azure client secret', 'q~', String.raw`[\w~.]{3}\dQ~[\w~.-]{31,34}`, /[\w~.]/),
  shaped('azure key', 'azdo', '[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}', LETTER),
  shaped('azure key', 'azfu azse azca', String.raw`[\w+/-]{36,44}Az(?:Fu|Se|Ca)[\w+/-]{5,6}={0,2}`, BASE64),
  shaped(
    'azure key',
    '+acr +ast +asb +aeh +arm +aba +amc',
    String.raw`[A-Za-z0-9+/]{30,86}\+(?:ACR|ASt|ASb|AEh|ARm|ABa|AMC)[A-Za-z0-9+/]{5,8}={0,2}`,
    BASE64,
  ),
  shaped(
    'azure key',
    'acdb apim aiot jqqj9',
    '[A-Za-z0-9+/]{33,86}(?:ACDb|APIM|AIoT|JQQJ9)[A-Za-z0-9+/]{5,40}={0,2}',
    BASE64,
  ),
  shaped('microsoft token', '0.a 1.a', String.raw`[01]\.A[\w-]{50,200}(?:\.\d)?\.[\w.-]{200,4000}`),
  shaped('firebase key', ':apa91b', String.raw`[\w-]{8,30}:APA91b[\w-]{100,200}`, /[\w-]/),
  shaped('github token', 'v1.', 'v1\\.[a-f0-9]{40}'),
  shaped('maxmind key', '_mmk', '[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk', /\w/),
  shaped('rapidapi key', 'msh', '[a-z0-9]{10}msh[a-z0-9]{15}p1[a-z0-9]{6}jsn[a-z0-9]{12}', LETTER),
  shaped('backblaze key', 'k00', String.raw`K00\d[A-Za-z0-9+/]{27}`),
  shaped('tinybird token', 'p.eyj', String.raw`p\.eyJ[\w-]{20,400}\.[\w-]{20,64}`),
  shaped('mapbox token', 'sk.eyj pk.eyj', String.raw`(?:sk|pk)\.eyJ[\w-]{20,400}\.[\w-]{20,64}`),
  shaped('locationiq key', 'pk.', 'pk\\.[a-f0-9]{32}'),
  shaped('terraform token', '.atlasv1.', String.raw`[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}`, LETTER),
  shaped('launchdarkly key', 'sdk- api- mob-', `(?:sdk|api|mob)-${UUID}`),
  shaped('hubspot token', 'pat-', `pat-(?:na|eu|ap)\\d-${UUID}`),
  shaped('harness token', 'pat. sat.', String.raw`(?:pat|sat)\.[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}`),
  shaped('airtable token', 'pat', String.raw`pat[A-Za-z0-9]{14}\.[a-f0-9]{64}`),
  shaped('clickup token', 'pk_', 'pk_\\d{6,12}_[A-Z0-9]{32}'),
  shaped('klaviyo key', 'pk_', 'pk_(?:[A-Za-z0-9]{6}_)?[a-f0-9]{34}'),
  shaped('mailchimp key', '-us', '[a-f0-9]{32}-us\\d{1,2}', /[a-f0-9]/),
  shaped('mailgun key', 'key-', 'key-[a-f0-9]{32}'),
  shaped('twilio key', 'sk', 'SK[a-f0-9]{32}'),
  shaped('zoho token', '1000.', '1000\\.[a-f0-9]{32}\\.[a-f0-9]{32}'),
  // The name of a bot's address ends where its token begins.
  byPattern('telegram token', [':aa'], () => /\d{8,10}:AA[\w-]{33}(?![A-Za-z0-9])/, { before: /\d/ }),
  shaped('bitwarden token', '0.', String.raw`0\.${UUID}\.[A-Za-z0-9]{30}:[A-Za-z0-9+/]{22}==`),
  shaped('new relic key', 'nral', '(?:[a-f0-9]{32}|eu01xx[a-f0-9]{26})(?:FFFF)?NRAL', LETTER),
  shaped('pagerduty key', 'pdus+ pdeu+', String.raw`pd(?:us|eu)\+[\w+-]{18,60}`),
  shaped('octopus key', 'api-', 'API-[A-Z0-9]{25,34}'),
  shaped('1password key', 'a3-', 'A3-[A-Z0-9]{6}-[A-Z0-9]{6,11}(?:-[A-Z0-9]{5}){3,4}'),
  shaped(
    'paypal token',
    'access_token$',
    String.raw`access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}`,
  ),
  shaped('square token', 'eaaa', String.raw`EAAA[\w-]{56,60}`),
  shaped('lob key', 'live_ test_', '(?:live|test)_(?:pub_)?[a-f0-9]{31,35}'),
  shaped('api key', 'sk- sk_', 'sk[-_][a-f0-9]{32,64}'),
  shaped('notion token', 'secret_', 'secret_[A-Za-z0-9]{43}'),
  shaped(
    'stripe client secret',
    '_secret_',
    '(?:pi|seti|cs|src)_[A-Za-z0-9_]{14,80}_secret_[A-Za-z0-9]{20,40}',
    /\w/,
  ),
  // Words could match these: only what mixes letters and digits.
  scrambled('api key', 'sk-', String.raw`sk-(?=[\w-]{0,200}[A-Z])[\w-]{20,200}`),
  scrambled('api key', 'live_ test_', '(?:live|test)_[A-Za-z0-9]{30,60}'),
  scrambled('gocardless token', 'live_', String.raw`live_[\w=-]{40}`),
  scrambled('resend key', 're_', 're_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{16,32}'),
  scrambled('voyage key', 'pa-', String.raw`pa-[\w-]{40,60}`),
  scrambled('sanity token', 'sk', 'sk[A-Za-z0-9]{80,200}'),
  scrambled('okta token', '00', String.raw`00[\w-]{40}`),
  scrambled('pushbullet token', 'o.', 'o\\.[A-Za-z0-9]{32}'),
  scrambled('vault token', 's. b.', '[sb]\\.[A-Za-z0-9]{24}'),
]

const LONG_SHAPE = 40
/** Without a beginning of their own: each is one word at least that long. */
const LONG_SHAPES = lazy((): readonly (readonly [kind: string, pattern: RegExp])[] => [
  ['ngrok token', /(?<![A-Za-z0-9])[12][A-Za-z0-9]{26}_[A-Za-z0-9]{20,22}(?![A-Za-z0-9])/g],
  ['zhipu key', /(?<![A-Za-z0-9])[a-f0-9]{32}\.[A-Za-z0-9]{16}(?![A-Za-z0-9])/g],
  ['asana token', /(?<![A-Za-z0-9])[012]\/\d{10,20}(?:\/\d{10,20})?:[a-f0-9]{32}(?![A-Za-z0-9])/g],
  ['mailgun key', /(?<![A-Za-z0-9-])[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}(?![A-Za-z0-9-])/g],
  ['salesforce session', /(?<![A-Za-z0-9])00[A-Za-z0-9]{13}![\w.]{80,120}/g],
  ['discord token', /(?<![A-Za-z0-9])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![A-Za-z0-9])/g],
  ['ably key', /(?<![\w.-])[\w-]{6}\.[\w-]{6}:[\w-]{43}(?![A-Za-z0-9])/g],
  ['unleash token', /(?<![\w-])(?:\*|[\w-]{1,40}):[\w-]{1,40}\.[a-f0-9]{40,70}(?![A-Za-z0-9])/g],
  ['bitcoin key', /(?<![\w/+.-])[5KL][1-9A-HJ-NP-Za-km-z]{50,51}(?![\w/+=.-])/g],
  // Services nobody here has heard of: most now put their name before what they scrambled.
  [
    'token',
    /(?<![A-Za-z0-9+/=])(?!sha\d|nonce|md5)[A-Za-z][A-Za-z0-9]{1,15}(?:[_-][A-Za-z0-9]{2,12}){0,3}[_-](?!01)[A-Za-z0-9]{30,200}(?![A-Za-z0-9+/])/g,
  ],
])

const SCAN = new SecretScan([...prefixed, ...SHAPES])

/** Secrets that give themselves away wherever they stand. */
export function tokenPlaces(text: string): SecretPlace[] {
  const places: SecretPlace[] = []
  forEachLongWord(text, (from, to) => {
    if (to - from >= LONG_SHAPE || SCAN.hasTrigger(text, from, to))
      for (const place of tokensInWord(text.slice(from, to)))
        places.push({ ...place, from: place.from + from, to: place.to + from })
    places.push(...brokenTokens(text, from, to))
  })
  return places
}

function brokenTokens(text: string, from: number, to: number): SecretPlace[] {
  const stretch = joined(text, from, to)
  if (stretch === undefined || !SCAN.hasTrigger(stretch.text)) return []
  return tokensInWord(stretch.text).flatMap((place) => unjoined(stretch, place) ?? [])
}

function tokensInWord(word: string): SecretPlace[] {
  const places = SCAN.places(word)
  if (word.length < LONG_SHAPE || places.length > 0) return places
  for (const [kind, pattern] of LONG_SHAPES())
    for (const { 0: value, index } of word.matchAll(pattern))
      if (isScrambled(value) || (kind !== 'token' && kind !== 'bitcoin key'))
        places.push({ from: index, to: index + value.length, kind })
  return places
}
