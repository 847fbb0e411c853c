import { CHECK_NAMES, type DoctorFinding, type DoctorParts, examine, examineOne } from './doctor.ts'
import { languageModelStatus } from './language-model.ts'
import {
  type DiskUsage,
  diskUsage,
  type PartHealth,
  type RagStatus,
  ragStatus,
  storageStatus,
} from './status.ts'

export type { DoctorFinding } from './doctor.ts'

export interface Status {
  rag: RagStatus
  storage: PartHealth
  /** Absent while none is configured. */
  languageModel?: PartHealth
  disk: DiskUsage
}

/** How what memory stands on is doing. */
export class Health {
  readonly #parts: DoctorParts

  /** @internal */
  constructor(parts: DoctorParts) {
    this.#parts = parts
  }

  rag(): Promise<RagStatus> {
    return ragStatus(this.#parts)
  }

  /** Where knowledge and conversations are kept. */
  storage(): Promise<PartHealth> {
    return storageStatus(this.#parts)
  }

  async status(): Promise<Status> {
    const [rag, storage, languageModel, disk] = await Promise.all([
      this.rag(),
      this.storage(),
      languageModelStatus(this.#parts),
      diskUsage(this.#parts.config),
    ])
    return { rag, storage, ...(languageModel && { languageModel }), disk }
  }

  /** Looks at everything; with `fix`, mends what can be mended without asking. */
  examine(options: { fix?: boolean } = {}): Promise<DoctorFinding[]> {
    return examine(this.#parts, options)
  }

  /** The names of all checks, in their order. */
  async checks(): Promise<readonly string[]> {
    return CHECK_NAMES
  }

  /** One of them, for whoever shows how far it has come. */
  check(name: string, options: { fix?: boolean } = {}): Promise<DoctorFinding> {
    return examineOne(this.#parts, name, options)
  }
}
