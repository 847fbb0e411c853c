import { isRalphError } from '../errors.ts'
import type { AskedMemories } from './recall.ts'

/** A board that somebody is editing does not keep the journals from being searched. */
export async function searchableFeatures({
  featureMemory,
  notices,
}: Pick<AskedMemories, 'featureMemory' | 'notices'>): Promise<string[]> {
  try {
    const features = await featureMemory.searchable()
    notices.recovered('board')
    return features
  } catch (error) {
    if (!isRalphError(error)) throw error
    notices.once({ key: 'board', message: error.message, hint: error.hint ?? 'ralph doctor' })
    return featureMemory.features()
  }
}
