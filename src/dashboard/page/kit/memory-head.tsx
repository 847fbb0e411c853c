import type { ComponentChildren } from 'preact'
import type { MemoryAddress } from '../../../recall/recollection.ts'
import { OutcomeBadge } from './badge.tsx'
import { memoryName } from './memory-address.ts'
import { Remembered } from './remembered.tsx'
import { Time } from './time.tsx'

export interface MemoryHeadProps {
  memory: { address: MemoryAddress; outcome?: string | undefined; timestamp?: string | undefined }
  /** Between its name and how it came out. */
  children?: ComponentChildren
}

/** What a memory is, how that came out and when: the same wherever one is listed. */
export function MemoryHead({ memory: { address, outcome, timestamp }, children }: MemoryHeadProps) {
  return (
    <header>
      <strong>
        <Remembered text={memoryName(address)} />
      </strong>
      {children}
      {outcome && <OutcomeBadge outcome={outcome} />}
      {timestamp && (
        <span class="dim">
          <Time at={timestamp} />
        </span>
      )}
    </header>
  )
}
