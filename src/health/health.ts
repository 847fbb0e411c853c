import type { DocumentsOverview } from '../documents/record.ts'
import { isRalphError } from '../errors.ts'
import { CHECK_NAMES, type DoctorFinding, type DoctorParts, examine, examineOne } from './doctor.ts'
import { documentsStatus } from './documents.ts'
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
  /** Absent while none were added. */
  documents?: DocumentsOverview
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
    const documents = await this.#documents()
    return {
      ...{ rag, storage, disk },
      ...(languageModel && { languageModel }),
      ...(documents && { documents }),
    }
  }

  /** What is wrong with where they are kept, or with whose they are, is the doctor's to say: status goes on without. */
  async #documents(): Promise<DocumentsOverview | undefined> {
    try {
      return await documentsStatus(this.#parts)
    } catch (error) {
      if (!isRalphError(error)) throw error
      return undefined
    }
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
