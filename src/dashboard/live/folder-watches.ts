import { type FSWatcher, statSync, watch } from 'node:fs'

export interface WatchedFolder {
  folder: string
  /** Whether a change of this entry is worth a look. */
  wakes: (name: string) => boolean
}

/**
 * Hears from the system when a folder's entries change. Not every file system tells (network drives, some containers), and
 * a folder may not be there yet: whoever needs to know for certain looks by itself from time to time, and calls `renew`.
 */
export class FolderWatches {
  readonly #folders: readonly WatchedFolder[]
  readonly #wake: () => void
  readonly #open = new Map<string, { watcher: FSWatcher; inode: number }>()

  constructor(folders: readonly WatchedFolder[], wake: () => void) {
    this.#folders = folders
    this.#wake = wake
  }

  /** Opens what is not watched: it was not there, has failed, or is another folder by now. */
  renew(): void {
    for (const watched of this.#folders) {
      const inode = inodeOf(watched.folder)
      const open = this.#open.get(watched.folder)
      if (open?.inode === inode) continue
      this.#drop(watched.folder)
      if (inode !== undefined) this.#watch(watched, inode)
    }
  }

  close(): void {
    for (const folder of [...this.#open.keys()]) this.#drop(folder)
  }

  #watch({ folder, wakes }: WatchedFolder, inode: number): void {
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name === null || wakes(name)) this.#wake()
      })
      watcher.on('error', () => this.#drop(folder)) // looked at from time to time all the same
      this.#open.set(folder, { watcher, inode })
    } catch {
      // too many watches, or none on this file system: see above
    }
  }

  #drop(folder: string): void {
    this.#open.get(folder)?.watcher.close()
    this.#open.delete(folder)
  }
}

function inodeOf(folder: string): number | undefined {
  try {
    return statSync(folder).ino
  } catch {
    return undefined // not there, or not ours to see
  }
}
