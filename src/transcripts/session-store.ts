/** A session that an agent's program has kept, or the part of a sub-agent in one. */
export interface SessionFile {
  /** Of a file; of a session in a database, its address: `readTranscript` and `readExchanges` take both. */
  path: string
  /** Changes when something else lies there now: device and inode, or the id in the database. */
  identity: string
  /** Bytes, or whatever grows with it. */
  size: number
  /** Milliseconds. */
  modifiedAt: number
}

/** How sessions are found where an agent's program keeps them; the newest first. */
export interface SessionStore {
  /** All of them in this place, or the one that is named. Throws where the named one cannot be read. */
  find(place: string, signal?: AbortSignal): Promise<SessionFile[]>
  /** Those that took place in a project's folder or below it; none where the place does not exist. */
  findOfProject(place: string, project: string, signal?: AbortSignal): Promise<SessionFile[]>
  /** Whether it is a session of a person's, not the part of a sub-agent in one. */
  isWhole(file: SessionFile): boolean
}
