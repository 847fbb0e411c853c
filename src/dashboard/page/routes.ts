import type { ComponentType } from 'preact'

export interface View {
  /** Where it lies; `:name` is a part of the address. */
  path: string
  /** In the navigation and in the title; one without is reached from others. */
  title?: string
  /** `g` and this key lead to it. */
  key?: string
  load: () => Promise<{ default: ComponentType }>
}

/** Every view, in the order of the navigation. */
export const VIEWS: readonly View[] = [
  { path: '/', title: 'Overview', key: 'o', load: () => import('./views/overview/overview.tsx') },
]
