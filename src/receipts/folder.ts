import { existsSync } from 'node:fs'

/** Where they are kept: in the project, or outside of any with the user. */
export function receiptsFolder(paths: { database: string; receipts: string; userReceipts: string }): string {
  return existsSync(paths.database) ? paths.receipts : paths.userReceipts
}
