import type { DriverName } from './world/drivers.ts'
import { FEATURES } from './world/names.ts'
import type { Size } from './world/world.ts'

/** How many places there are on each driver, and its share of all searches: what is slower to ask has fewer of both. */
export const PLANS: { readonly [driver in DriverName]: { size: Size; share: number } } = {
  sqlite: { share: 0.46, size: sizeOf({ teams: 4, people: 1, projects: 6 }) },
  qdrant: { share: 0.15, size: sizeOf({ teams: 3, people: 1, projects: 3 }) },
  'qdrant-tenants': { share: 0.06, size: sizeOf({ teams: 2, people: 1, projects: 3 }) },
  postgres: { share: 0.19, size: sizeOf({ teams: 2, people: 3, projects: 2 }) },
  'postgres-qdrant': { share: 0.12, size: sizeOf({ teams: 2, people: 2, projects: 2 }) },
}

function sizeOf(size: Pick<Size, 'teams' | 'people' | 'projects'>): Size {
  return { ...size, features: FEATURES.length, iterations: 4, conversations: 12 }
}
