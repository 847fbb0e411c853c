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
  { path: '/features/:feature', load: () => import('./views/feature/feature.tsx') },
  {
    path: '/features/:feature/iterations/:number',
    load: () => import('./views/iteration/iteration.tsx'),
  },
  { path: '/search', title: 'Search', key: 's', load: () => import('./views/search/search.tsx') },
  { path: '/gates', title: 'Gates', key: 'g', load: () => import('./views/gates/gates.tsx') },
  { path: '/gates/:id', load: () => import('./views/gates/gate.tsx') },
  { path: '/knowledge', title: 'Knowledge', key: 'k', load: () => import('./views/knowledge/knowledge.tsx') },
  { path: '/knowledge/:id', load: () => import('./views/knowledge/entry.tsx') },
  {
    path: '/conversations',
    title: 'Conversations',
    key: 'c',
    load: () => import('./views/conversations/conversations.tsx'),
  },
  { path: '/conversations/one', load: () => import('./views/conversations/conversation.tsx') },
  { path: '/conversations/exchange', load: () => import('./views/conversations/exchange.tsx') },
  { path: '/documents/:id', load: () => import('./views/documents/piece.tsx') },
  { path: '/workers', title: 'Workers', key: 'w', load: () => import('./views/workers/workers.tsx') },
  { path: '/receipts', title: 'Receipts', key: 'r', load: () => import('./views/receipts/receipts.tsx') },
  { path: '/receipts/:id', load: () => import('./views/receipts/receipt.tsx') },
  { path: '/effect', title: 'Effect', key: 'e', load: () => import('./views/effect/effect.tsx') },
  { path: '/map', title: 'Map', key: 'm', load: () => import('./views/map/map.tsx') },
  { path: '/settings', title: 'Settings', key: ',', load: () => import('./views/settings/settings.tsx') },
  { path: '/doctor', title: 'Doctor', key: 'd', load: () => import('./views/doctor/doctor.tsx') },
]
