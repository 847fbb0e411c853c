import type { Ralph } from '../../../ralph.ts'
import type { Output } from '../../output.ts'

/** A mistyped feature looks like an empty one: say which ones there are. */
export async function explainEmpty(out: Output, ralph: Ralph, feature: string, line: string): Promise<void> {
  const features = await ralph.featureMemory.features()
  const known = features.includes(feature.normalize('NFC').trim())
  const others =
    features.length > 0
      ? `Features with memory: ${features.join(', ')}.`
      : 'Nothing has been recorded in this project yet.'
  out.talk(known ? line : `${line} There is no memory of "${feature}". ${others}`)
}
