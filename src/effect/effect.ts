import type { Config } from '../config.ts'
import { RalphError } from '../errors.ts'
import type { FeatureMemory, JournalPosition } from '../feature-memory/feature-memory.ts'
import { parseFeatureName } from '../files/feature-name.ts'
import { pieceKinds } from '../receipts/pieces.ts'
import { type MeasuredRun, RunMeasurer } from './measured-run.ts'
import type { EffectReport } from './report.ts'
import { effectOf } from './report-of.ts'

export interface EffectQuery {
  feature?: string | undefined
  /** ISO 8601: only runs from this time on. What earlier ones had met is known all the same. */
  since?: string | undefined
}

interface EffectParts {
  config: Pick<Config, 'project' | 'paths' | 'settings'>
  featureMemory: Pick<FeatureMemory, 'features' | 'journal'>
}

/** How far a journal has been read, and what it came to. */
interface ReadJournal {
  stamp: string
  position: JournalPosition | undefined
  measurer: RunMeasurer
}

/** Whether memory makes a difference in this project, by its journals and receipts. */
export class Effect {
  readonly #parts: EffectParts
  readonly #journals = new Map<string, ReadJournal>()
  #reading: Promise<unknown> = Promise.resolve()

  /** @internal */
  constructor(parts: EffectParts) {
    this.#parts = parts
  }

  async report(query: EffectQuery = {}): Promise<EffectReport> {
    const { featureMemory, config } = this.#parts
    const { feature } = query
    const since = query.since === undefined ? undefined : parseMoment(query.since)
    const features = feature === undefined ? await featureMemory.features() : [parseFeatureName(feature)]
    const runs: MeasuredRun[] = []
    for (const name of features) runs.push(...(await this.#runsOf(name)))
    const wanted = since === undefined ? runs : runs.filter(({ timestamp }) => timestamp >= since)
    wanted.sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1))
    const pieces = pieceKinds(config.paths.receipts, { feature, since })
    return {
      ...(feature !== undefined && { feature }),
      ...(since !== undefined && { since }),
      ...effectOf(wanted, { holdout: config.settings.loop.holdout, pieces }),
    }
  }

  /** One reading at a time: two at once would count the same records twice. */
  #runsOf(feature: string): Promise<readonly MeasuredRun[]> {
    const reading = this.#reading.catch(() => undefined).then(() => this.#read(feature))
    this.#reading = reading
    return reading
  }

  /** Only what the journal gained since the last look is read. */
  async #read(feature: string): Promise<readonly MeasuredRun[]> {
    const { featureMemory, config } = this.#parts
    const journal = featureMemory.journal(feature)
    const stamp = journal.stamp()
    const known = this.#journals.get(feature)
    if (known?.stamp === stamp) return known.measurer.runs
    const read = await journal.read(known?.position, async ({ restarted, items, position }) => {
      const isNew = restarted || known === undefined
      const measurer = isNew ? new RunMeasurer({ project: config.project }) : known.measurer
      for await (const item of items) {
        // A last line without its line feed may still grow; it is read again when it is whole.
        if (item.kind === 'record' && item.next.line === item.line) measurer.add(item.record)
      }
      return { stamp, position: await position(), measurer }
    })
    this.#journals.set(feature, read)
    return read.measurer.runs
  }
}

function parseMoment(text: string): string {
  const time = Date.parse(text)
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  throw new RalphError('invalid_input', `${JSON.stringify(text)} is not a time`, {
    hint: 'Give one as in 2026-02-07T14:30:00Z.',
  })
}
