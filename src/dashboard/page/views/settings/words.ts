import type { SettingOrigin } from '../../../../configuration/configuration.ts'
import type { Tone } from '../../kit/badge.tsx'
import type { ShownSetting } from './settings.tsx'

export const GROUPS: Record<string, string> = {
  embedder: 'Searching by meaning',
  index: 'Search index',
  storage: 'Knowledge and conversations',
  language_model: 'Language model',
  search: 'Search',
  loop: 'The loop',
  hooks: 'Hooks',
}

export const ORIGINS: Record<SettingOrigin, { word: string; tone: Tone }> = {
  given: { word: 'flag', tone: 'accent' },
  environment: { word: 'environment', tone: 'accent' },
  project: { word: 'project', tone: 'accent' },
  user: { word: 'you', tone: 'accent' },
  default: { word: 'default', tone: 'plain' },
}

/** What the project asks for and nobody has trusted. */
export function waitingIn({ mentions }: ShownSetting) {
  return mentions.find(({ waitsForTrust }) => waitsForTrust)
}
