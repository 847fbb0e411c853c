import type { Command } from 'commander'
import type {
  Setting,
  SettingChange,
  SettingOrigin,
  SettingPlace,
} from '../../configuration/configuration.ts'
import { shellWord } from '../../text/shell-word.ts'
import { UNTRUSTED_SETTINGS } from '../../trust/untrusted.ts'
import { undoable } from '../../undo/undoable.ts'
import { parseOneOf, ralphCommand, withExamples } from '../command.ts'
import type { Output } from '../output.ts'
import { table } from '../table.ts'

const PLACES = ['user', 'project'] as const satisfies readonly SettingPlace[]
const ORIGIN_WORDS: Record<SettingOrigin, string> = {
  given: 'a flag',
  environment: 'the environment',
  project: 'the project',
  user: 'you',
  default: 'default',
}

export function register(config: Command): void {
  registerList(config)
  registerGet(config)
  registerSet(config)
  registerUnset(config)
}

function registerList(config: Command): void {
  const command = config
    .command('list', { isDefault: true })
    .description('every setting, its value, and where that comes from')
    .option('--set', 'only what somebody has set')
  withExamples(command, 'ralph config', 'ralph config list --set --json')
  ralphCommand<{ set?: boolean }>(
    command,
    async ({ ralph, options, out }) => {
      const { files, settings, troubles } = await ralph.configuration.list()
      const wanted = settings.filter(({ mentions }) => !options.set || mentions.length > 0)
      out.result({ files, settings: wanted, troubles }, () =>
        table(
          ['setting', 'value', 'from'],
          wanted.map((setting) => [setting.key, setting.shown, originText(setting)]),
        ),
      )
      if (wanted.length === 0) out.talk('Nothing is set: all is as it comes. ralph config list shows it.')
      for (const { message, hint } of troubles) out.talk([message, hint].filter(Boolean).join(' → '))
    },
    { silences: UNTRUSTED_SETTINGS },
  )
}

function registerGet(config: Command): void {
  const command = config
    .command('get <setting>')
    .description('one setting: its value, where that comes from, what it may be')
  withExamples(command, 'ralph config get search.min_score')
  ralphCommand(
    command,
    async ({ ralph, out }, key) => {
      const setting = await ralph.configuration.get(key!)
      out.result({ setting }, () => settingText(setting, out))
    },
    { silences: UNTRUSTED_SETTINGS },
  )
}

function registerSet(config: Command): void {
  const command = withPlace(config.command('set <setting> <value>')).description('change one setting')
  withExamples(
    command,
    'ralph config set search.min_score 0.5',
    'ralph config set loop.gate review --in project',
  )
  ralphCommand<{ in: SettingPlace }>(
    command,
    async ({ ralph, options, out }, key, value) =>
      tellChange(
        await undoable(ralph, `config set ${shellWord(key!)}`, () =>
          ralph.configuration.set(key!, value!, options.in),
        ),
        out,
      ),
    { silences: UNTRUSTED_SETTINGS },
  )
}

function registerUnset(config: Command): void {
  const command = withPlace(config.command('unset <setting>')).description(
    'take one setting out of a file: the next place counts',
  )
  withExamples(command, 'ralph config unset search.min_score')
  ralphCommand<{ in: SettingPlace }>(
    command,
    async ({ ralph, options, out }, key) =>
      tellChange(
        await undoable(ralph, `config unset ${shellWord(key!)}`, () =>
          ralph.configuration.unset(key!, options.in),
        ),
        out,
      ),
    { silences: UNTRUSTED_SETTINGS },
  )
}

function withPlace(command: Command): Command {
  return command.option(
    '--in <place>',
    'whose file: user (yours, for all projects) or project (for everybody who works on it)',
    parseOneOf('--in', PLACES),
    'user',
  )
}

function tellChange(change: SettingChange, out: Output): void {
  const { changed, file, setting } = change
  out.result(change, () => {
    const done = changed ? `${out.style('green', '✓')} ${file}` : `Nothing to change in ${file}`
    return `${done}\n${settingText(setting, out)}`
  })
}

function settingText({ key, shown, about, allowed, variables, mentions, ...setting }: Setting, out: Output) {
  const others = mentions.filter(({ source }) => source !== setting.source)
  return [
    `${out.style('bold', key)} = ${shown || '(not set)'}  (${originText({ mentions: [], ...setting })})`,
    `  ${about}`,
    `  ${allowed}${variables.length > 0 ? `; also set by ${variables.join(', ')}` : ''}`,
    ...others.map(({ source, shown: other, waitsForTrust }) =>
      waitsForTrust
        ? `  ${source} asks for ${other}, which a person has to trust → ralph trust`
        : `  ${source} says ${other}, which does not count`,
    ),
  ].join('\n')
}

function originText({ origin, source, mentions }: Pick<Setting, 'origin' | 'source' | 'mentions'>): string {
  const named = source !== undefined && origin === 'environment' ? source : ORIGIN_WORDS[origin]
  return mentions.some(({ waitsForTrust }) => waitsForTrust)
    ? `${named}; the project's own waits: ralph trust`
    : named
}
