/**
 * Services whose tokens begin in a way nothing else does: kind, and the token as a regular expression without anchors.
 * Every repetition is bounded. What needs a second look because words could match is marked with `mixed`.
 */
export interface SecretPrefix {
  kind: string
  source: string
  /** Only with letters and digits mixed: a name with the same beginning is no token. */
  mixed?: true
  /** What every match holds, where it does not begin with it. */
  hint?: string | undefined
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

const token = (kind: string, source: string, hint?: string): SecretPrefix => ({ kind, source, hint })
const mixed = (kind: string, source: string): SecretPrefix => ({ kind, source, mixed: true })

export const SECRET_PREFIXES: readonly SecretPrefix[] = [
  // Code and packages.
  token('github token', 'gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{30,255}'),
  token('gitlab token', String.raw`gl(?:pat|dt|rt|cbt|ptt|agent|soat|ft|imt|oas)-[\w.-]{20,128}`),
  token('pypi token', String.raw`pypi-[\w-]{50,512}`),
  token('rubygems token', 'rubygems_[a-f0-9]{48}'),
  token('nuget token', 'oy2[a-z0-9]{43}'),
  token('clojars token', 'CLOJARS_[a-z0-9]{60}'),
  token('docker token', String.raw`dckr_(?:pat|oat)_[\w-]{20,64}`),
  token('artifactory token', 'AKCp[A-Za-z0-9]{60,80}'),
  token('sonar token', 'sq[upa]_[a-f0-9]{40}'),
  token('sourcegraph token', 'sgp_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}'),
  token('buildkite token', 'bk(?:ua|at|ct)_[a-f0-9]{40}'),
  token('circleci token', 'CCI(?:PAT|PRJ)_[A-Za-z0-9]{16,32}_[a-f0-9]{40}'),
  token('postman key', 'PMAK-[a-f0-9]{24}-[a-f0-9]{34}'),
  token('snyk token', `snyk_(?:uat|sat)\\.[\\w.-]{20,200}`),
  // Clouds and hosting.
  token('aws access key', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}'),
  token('google api key', String.raw`AIza[\w-]{35}`),
  token('google token', String.raw`ya29\.[\w-]{20,1024}|GOCSPX-[\w-]{20,64}|1//0[\w-]{30,200}`),
  token('azure client secret', String.raw`[\w~.]{3}\dQ~[\w~.-]{31,34}`, 'Q~'),
  token('alibaba key', 'LTAI[A-Za-z0-9]{12,28}'),
  token('tencent key', 'AKID[A-Za-z0-9]{32}'),
  token('yandex key', String.raw`AQVN[\w-]{35,38}|t1\.[\w-]{20,400}={0,2}\.[\w-]{80,90}={0,2}`),
  token('digitalocean token', 'do[opr]_v1_[a-f0-9]{64}'),
  token('cloudflare key', 'v1\\.0-[a-f0-9]{24}-[a-f0-9]{146}'),
  token('heroku token', String.raw`HRKU-[\w-]{36,80}`),
  token('fly token', String.raw`(?:fo1|fm1|fm1r|fm2|fm2r)_[\w+/=-]{30,1024}`),
  mixed('render token', 'rnd_[A-Za-z0-9]{28,40}'),
  token('netlify token', 'nf[pcou]_[A-Za-z0-9]{36,48}'),
  token('vercel token', 'vc[piark]_[A-Za-z0-9]{24,64}'),
  token('neon token', 'napi_[a-z0-9]{40,80}'),
  token('supabase token', String.raw`sbp_(?:v0_|oauth_)?[a-f0-9]{40}|sb_secret_[\w-]{20,64}`),
  token('planetscale token', String.raw`pscale_(?:tkn|pw|oauth)_[\w.=-]{32,64}`),
  token('terraform token', String.raw`[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}`, '.atlasv1.'),
  token('vault token', String.raw`hv[sbr]\.[\w-]{24,200}`),
  token('pulumi token', 'pul-[a-f0-9]{40}'),
  token('doppler token', String.raw`dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{1,40}\.)?[A-Za-z0-9]{40,44}`),
  token('infracost token', 'ico-[A-Za-z0-9]{32}'),
  token('scalingo token', String.raw`tk-us-[\w-]{48}`),
  token('openshift token', String.raw`sha256~[\w-]{43}`),
  token('databricks token', 'dapi[a-f0-9]{32}(?:-\\d)?'),
  token('tailscale key', 'tskey-[a-z]{2,12}-[A-Za-z0-9]{8,24}-[A-Za-z0-9]{16,48}'),
  token('defined networking key', 'dnkey-[a-z0-9=_-]{26}-[a-z0-9=_-]{52}'),
  token('harness token', String.raw`(?:pat|sat)\.[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}`),
  token('prefect token', 'pn[ub]_[A-Za-z0-9]{36}'),
  token('launchdarkly key', `(?:sdk|api|mob)-${UUID}`),
  // Language models and their tools.
  token('anthropic key', String.raw`sk-ant-[\w-]{20,200}`),
  token('openrouter key', 'sk-or-v1-[a-f0-9]{40,80}'),
  token('openai key', String.raw`sk-(?:proj|svcacct|admin|None)-[\w-]{20,200}`),
  // DeepSeek and others: the prefix and 32 hexadecimal digits or more.
  token('api key', 'sk-[a-f0-9]{32,64}'),
  // A name such as sk-learn-pipelines has no such mixture.
  mixed('api key', String.raw`sk-(?=[\w-]{0,200}[A-Z])[\w-]{20,200}`),
  token('langfuse key', `[sp]k-lf-${UUID}`, 'k-lf-'),
  token('replicate token', 'r8_[A-Za-z0-9]{30,48}'),
  token('xai key', 'xai-[A-Za-z0-9]{40,120}'),
  token('perplexity key', 'pplx-[A-Za-z0-9]{40,64}'),
  token('groq key', 'gsk_[A-Za-z0-9]{40,64}'),
  token('cerebras key', 'csk-[a-z0-9]{40,64}'),
  token('nvidia key', String.raw`nvapi-[\w-]{40,100}`),
  mixed('fireworks key', 'fw_[A-Za-z0-9]{20,40}'),
  token('huggingface token', '(?:hf|api_org)_[A-Za-z0-9]{30,48}'),
  token('pinecone key', String.raw`pcsk_[\w]{40,120}`),
  token('langsmith key', 'lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}'),
  token('tavily key', 'tvly-(?:dev-|prod-)?[A-Za-z0-9]{20,48}'),
  token('anyscale key', 'esecret_[A-Za-z0-9]{20,40}'),
  mixed('voyage key', String.raw`pa-[\w-]{40,60}`),
  mixed('elevenlabs key', 'sk_[a-f0-9]{40,64}'),
  // Payment.
  token('stripe key', '(?:rk|sk)_(?:live|test|prod)_[A-Za-z0-9]{10,128}|whsec_[A-Za-z0-9+/=]{20,128}'),
  token('square token', String.raw`sq0[a-z]{3}-[\w-]{22,43}|EAAA[\w-]{56,60}`),
  token('paypal token', String.raw`access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}`),
  token('razorpay key', 'rzp_(?:live|test)_[A-Za-z0-9]{14,24}'),
  token('flutterwave key', 'FLWSECK(?:_TEST)?-[a-f0-9]{12,32}(?:-X)?'),
  token('plaid token', `access-(?:sandbox|development|production)-${UUID}`),
  token('easypost key', 'EZ[AT]K[A-Za-z0-9]{54}'),
  token('shippo token', 'shippo_(?:live|test)_[a-f0-9]{40}'),
  token('duffel token', String.raw`duffel_(?:test|live)_[\w=-]{43}`),
  mixed('gocardless token', String.raw`live_[\w=-]{40}`),
  token('shopify token', 'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}'),
  // Mail, messages, people.
  token(
    'slack token',
    String.raw`xox[abeoprs]-[\w-]{10,255}|xapp-\d-[\w-]{10,255}|xoxe\.xox[bp]-\d-[\w-]{100,255}`,
  ),
  token('discord token', String.raw`[MNO][A-Za-z\d_-]{23,25}\.[\w-]{6}\.[\w-]{27,40}`),
  token('telegram token', String.raw`\d{8,10}:AA[\w-]{33}`, ':AA'),
  token('sendgrid key', String.raw`SG\.[\w-]{16,24}\.[\w-]{38,48}`),
  token('brevo key', 'xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}'),
  token('mailersend token', 'mlsn\\.[a-f0-9]{64}'),
  token('mailgun key', 'key-[a-f0-9]{32}'),
  token('mailchimp key', '[a-f0-9]{32}-us\\d{1,2}', '-us'),
  mixed('resend key', 're_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{16,32}'),
  token('twilio key', 'SK[a-f0-9]{32}'),
  token('typeform token', String.raw`tfp_[\w.=-]{40,80}`),
  token('atlassian token', String.raw`ATATT3[\w=-]{100,300}|ATCTT3[\w=-]{100,300}|ATBB[A-Za-z0-9]{32}`),
  token('linear key', 'lin_(?:api|oauth)_[A-Za-z0-9]{32,64}'),
  token('notion token', 'ntn_[A-Za-z0-9]{40,50}|secret_[A-Za-z0-9]{43}'),
  token('airtable token', String.raw`pat[A-Za-z0-9]{14}\.[a-f0-9]{64}`),
  token('asana token', String.raw`[012]/\d{10,20}(?:/\d{10,20})?:[a-f0-9]{32}`),
  token('clickup token', 'pk_\\d{6,12}_[A-Z0-9]{32}'),
  token('hubspot token', `pat-(?:na|eu|ap)\\d-${UUID}`),
  token('figma token', String.raw`figd_[\w-]{36,64}`),
  token('dropbox token', String.raw`sl\.[\w-]{60,2000}`),
  token('frame.io token', String.raw`fio-u-[\w=-]{64}`),
  token('readme token', 'rdme_[a-z0-9]{70}'),
  token('contentful token', String.raw`CFPAT-[\w-]{43}`),
  token('mapbox token', String.raw`(?:sk|pk)\.eyJ[\w-]{20,400}\.[\w-]{20,64}`),
  token('facebook token', 'EAA[A-Za-z0-9]{90,400}'),
  token('twitter token', 'AAAAAAAAAAAAAAAAAAAAA[A-Za-z0-9%]{60,150}'),
  // Watching.
  token('grafana token', String.raw`gl(?:c|sa)_[\w+/=]{32,400}`),
  token('sentry token', String.raw`sntry[su]_[\w+/=-]{40,400}`),
  token('new relic key', 'NR(?:AK|JS|II|SP|RA|IQ)-[A-Za-z0-9_-]{19,48}'),
  token('dynatrace token', String.raw`dt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}`),
  token('adafruit key', 'aio_[A-Za-z0-9]{28}'),
  token('lob key', '(?:live|test)_(?:pub_)?[a-f0-9]{31,35}'),
  token('settlemint token', 'sm_(?:aat|pat|sat)_[A-Za-z0-9]{16}'),
  token(
    '1password token',
    String.raw`ops_eyJ[\w+/=-]{60,2000}|A3-[A-Z0-9]{6}-[A-Z0-9]{6,11}(?:-[A-Z0-9]{5}){3,4}`,
  ),
  token('age key', 'AGE-SECRET-KEY-1[A-Z0-9]{58}'),
  token('octopus key', 'API-[A-Z0-9]{26}'),
  token('adobe key', 'p8e-[A-Za-z0-9]{32}'),
  token('JSON web token', String.raw`eyJ[\w-]{8,4096}\.eyJ[\w-]{8,8192}\.[\w-]{8,2048}`),
]
