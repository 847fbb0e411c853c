/**
 * The few parts of the API that load in milliseconds, for hooks: an agent waits for them at every step. Whatever is
 * exported here must not import a memory, a driver or the public API.
 */

export { ralphCommandLine } from './agent-config/ralph-command.ts'
export { type CurrentFeature, currentFeature } from './board/current-feature.ts'
export { commandKey } from './feature-memory/command-key.ts'
export type { FailedAction, FailedActions, SeenError } from './feature-memory/failed-actions.ts'
export { failureSignatures } from './feature-memory/failure-signatures.ts'
export { escapeFeature, unescapeFeature } from './feature-memory/feature-name.ts'
export { projectPath } from './feature-memory/record.ts'
export { ReceiptLog } from './receipts/log.ts'
export type { ReceiptItem } from './receipts/receipt.ts'
export { tokensAtMost } from './text/token-bound.ts'
