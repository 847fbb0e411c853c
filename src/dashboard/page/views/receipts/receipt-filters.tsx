import { SURFACES, type Surface } from '../../../../receipts/receipt.ts'
import { Remembered } from '../../kit/remembered.tsx'
import { surfaceName } from './kind-words.ts'

/** Which receipts are wanted, as the address says it. */
export interface ReceiptsAsked {
  surface?: Surface
  feature?: string
  run?: string
}

export function receiptsAsked(parts: { readonly [name: string]: string | undefined }): ReceiptsAsked {
  const { surface, feature, run } = parts
  const known = SURFACES.find((name) => name === surface)
  return { ...(known && { surface: known }), ...(feature && { feature }), ...(run && { run }) }
}

export function ReceiptFilters({
  asked,
  choices,
  change,
}: {
  asked: ReceiptsAsked
  choices: { features: readonly string[] } | undefined
  change: (changes: Record<string, string>) => void
}) {
  const features = new Set([...(asked.feature ? [asked.feature] : []), ...(choices?.features ?? [])])
  return (
    <div class="filters">
      <label>
        Told by{' '}
        <select
          value={asked.surface ?? ''}
          onChange={({ currentTarget }) => change({ surface: currentTarget.value })}
        >
          <option value="">any</option>
          {SURFACES.map((surface) => (
            <option key={surface} value={surface}>
              {surfaceName(surface)}
            </option>
          ))}
        </select>
      </label>
      <label>
        Feature{' '}
        <select
          value={asked.feature ?? ''}
          onChange={({ currentTarget }) => change({ feature: currentTarget.value })}
        >
          <option value="">all</option>
          {[...features].sort().map((feature) => (
            <option key={feature}>{feature}</option>
          ))}
        </select>
      </label>
      {asked.run !== undefined && (
        <span>
          Run <Remembered text={asked.run} />{' '}
          <button type="button" onClick={() => change({ run: '' })}>
            All runs
          </button>
        </span>
      )}
    </div>
  )
}
