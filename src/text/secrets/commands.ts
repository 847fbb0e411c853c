import { byPattern, type SecretFinder } from './finder.ts'
import { isLiteral, looksRandom } from './judge.ts'

const LITERAL = { accepts: isLiteral }

const COMMAND = String.raw`[^\r\n|;&]{0,200}?`
const ARGUMENT = String.raw`["']?([^\s"'\x60]{3,255})`
const command = (triggers: string, source: string) =>
  byPattern('password', triggers.split('|'), () => new RegExp(source), LITERAL)

/** Options that take a password as their value. */
export const COMMAND_SECRETS: readonly SecretFinder[] = [
  // mysql and its family take it without a space.
  command(
    'mysql|mariadb',
    String.raw`(?:mysql|mysqldump|mysqladmin|mysqlimport|mysqlsh|mariadb|mariadb-dump)\b${COMMAND}\s-p["']?([^\s"'\x60-][^\s"'\x60]{2,255})`,
  ),
  command('sshpass', String.raw`sshpass\s{1,4}-p\s{0,4}${ARGUMENT}`),
  command(
    'login',
    String.raw`(?<=\b(?:docker|podman|buildah|nerdctl|helm|oras|skopeo|az|oc|cf|heroku|ibmcloud|twine|argocd|vault)\s[^\r\n|;&]{0,60})login\b${COMMAND}\s-p[= ]{1,2}${ARGUMENT}`,
  ),
  command('twine upload', String.raw`twine\s{1,4}upload\b${COMMAND}\s-p[= ]{1,2}${ARGUMENT}`),
  byPattern('vault token', ['vault login'], () => /vault login\s{1,4}(?!-)([\w.-]{8,200})/, LITERAL),
  command('redis-cli', String.raw`redis-cli\b${COMMAND}\s-a\s{1,4}${ARGUMENT}`),
  command(
    'auth',
    String.raw`(?<=(?:^|[>\n]\s{0,4}))AUTH(?:\s{1,4}[\w-]{1,40})?\s{1,4}["']?([^\s"'\x60]{6,255})["']?\s{0,4}(?:$|\n)`,
  ),
  command(
    'mongo',
    String.raw`mongo(?:sh|dump|restore|export|import)?\b${COMMAND}\s-p\s{1,4}([^\s"'\x60-][^\s"'\x60]{2,255})`,
  ),
  command(
    'ldap',
    String.raw`ldap(?:search|add|modify|delete|whoami|passwd)\b${COMMAND}\s-w\s{0,4}${ARGUMENT}`,
  ),
  command(
    'htpasswd',
    String.raw`htpasswd\s{1,4}-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}\s${COMMAND}\s([^\s"'\x60|;&\]]{4,255})(?=\s*(?:$|[|;&\n]))`,
  ),
  command(
    'smbclient|smbmap|smbget',
    String.raw`smb(?:client|map|get)\b${COMMAND}\s-U\s{0,4}["']?[^\s%"']{1,64}%${ARGUMENT}`,
  ),
  command('-pass', String.raw`-pass(?:in|out)?\s{1,4}["']?pass:${ARGUMENT}`),
  command('openssl', String.raw`openssl\s{1,4}enc\b${COMMAND}\s-k\s{1,4}${ARGUMENT}`),
  command(
    '-storepass|-keypass|-srcstorepass|-deststorepass',
    String.raw`-(?:src|dest)?(?:store|key)pass\s{1,4}${ARGUMENT}`,
  ),
  command(
    'converttosecurestring|convertto-securestring',
    String.raw`ConvertTo-SecureString\s{1,4}(?:-String\s{1,4})?["']([^"'\r\n]{4,255})`,
  ),
  command('net us', String.raw`net\s{1,4}use\b[^\r\n]{0,120}?\/user:\S{1,80}\s{1,4}(?!\/)(\S{3,255})`),
  command('net us', String.raw`net\s{1,4}user\s{1,4}[\w.-]{1,64}\s{1,4}(?!\/)([^\s*]\S{2,255})\s{1,4}\/`),
  command('cmdkey', String.raw`cmdkey\b${COMMAND}\/pass:${ARGUMENT}`),
  command('freerdp', String.raw`freerdp\d?\b${COMMAND}\s\/p:${ARGUMENT}`),
  command('7z |7za ', String.raw`(?<![\w])7za?\s${COMMAND}\s-p([^\s"'\x60]{3,255})`),
  command('zip ', String.raw`zip\s${COMMAND}-P\s{1,4}${ARGUMENT}`),
  command('lftp', String.raw`lftp\b${COMMAND}\s-u\s{1,4}["']?[^\s,"']{1,64},${ARGUMENT}`),
  command(
    'echo |printf ',
    String.raw`(?:echo|printf)\s{1,4}(?:-n\s{1,4}|'%s'\s{1,4}|"%s"\s{1,4})?["']?([^\s"'\x60|$]{4,255})["']?\s{0,4}\|\s{0,4}(?:\S{1,40}\s){0,6}?(?:sudo\s{1,4}-S|\S{0,60}\s?--password-stdin|[^\r\n|]{0,120}--password-stdin|cryptsetup|gpg\b[^\r\n|]{0,80}--passphrase-fd)`,
  ),
  command(
    'echo ',
    String.raw`echo\s{1,4}["']?[\w.-]{1,64}:([^\s"'\x60]{3,255})["']?\s{0,4}\|\s{0,4}(?:sudo\s{1,4})?chpasswd`,
  ),
  command(
    'curl',
    String.raw`curl\b${COMMAND}\s(?:-u|-U|--user|--proxy-user)[ =]?(?:"[^\s:'"]{1,64}:([^"\r\n]{1,256})|'[^\s:'"]{1,64}:([^'\r\n]{1,256})|[^\s:'"]{1,64}:([^\s'"]{1,256}))`,
  ),
  command(
    'http |https |xh |xhs ',
    String.raw`(?<![\w/])(?:https?|xhs?)\s${COMMAND}(?:-a|--auth)[ =]["']?[^\s:'"]{1,64}:([^\s'"]{1,256})`,
  ),
  command('login', String.raw`login\s{1,40}\S{1,100}\s{1,40}password\s{1,4}(\S{1,256})`),
  command('--from-literal', String.raw`--from-literal[= ]["']?[\w.-]{1,100}=["']?([^\s"'\x60]{4,512})`),
  byPattern(
    'secret',
    ['secret set'],
    () => /secret set\s[^\r\n|;&]{0,120}?(?:--body|-b)[ =]["']?([^\s"'`]{4,512})/,
    LITERAL,
  ),
  byPattern(
    'key',
    ['mc alias set', 'mc config host add'],
    () => /mc (?:alias set|config host add)\s{1,4}\S{1,60}\s{1,4}\S{1,200}\s{1,4}\S{3,128}\s{1,4}(\S{8,128})/,
    LITERAL,
  ),
  command(
    'identified',
    String.raw`[Ii][Dd][Ee][Nn][Tt][Ii][Ff][Ii][Ee][Dd]\s{1,4}(?:[Ww][Ii][Tt][Hh]\s{1,4}\S{1,40}\s{1,4})?[Bb][Yy]\s{1,4}["']([^"'\r\n]{3,255})`,
  ),
  byPattern('password', ['password'], () => /password\s{1,4}'([^'\r\n]{3,255})'/i, LITERAL),
  byPattern(
    'password',
    ['username ', 'enable secret', 'enable password'],
    () =>
      /(?:username\s{1,4}\S{1,64}\s{1,4}(?:privilege\s{1,4}\d{1,2}\s{1,4})?|enable\s{1,4})(?:secret|password)\s{1,4}(?:\d\s{1,4})?(\S{4,255})/,
    { accepts: ({ value }) => looksRandom(value) },
  ),
  command(
    'snmp',
    String.raw`snmp(?:-server community|walk\b[^\r\n]{0,60}?\s-c|get\b[^\r\n]{0,60}?\s-c)\s{1,4}${ARGUMENT}`,
  ),
  command('psk', String.raw`PSK\s{1,4}["']([^"'\r\n]{6,255})["']`),
  command('jdbc:oracle', String.raw`jdbc:oracle:\w{3,5}:[\w.-]{1,64}\/([^\s@"']{2,128})@`),
]
