/** The public API. Everything here is documented in docs/library.md and follows semantic versioning. */

export { MCP_CLIENT_NAMES, type McpClientName } from './agent-config/clients.ts'
export type { EditResult } from './agent-config/edited-file.ts'
export {
  type McpConfig,
  type McpConfigRequest,
  mcpConfigFor,
  removeMcpConfig,
  SERVER_NAME,
  writeMcpConfig,
} from './agent-config/mcp-config.ts'
export type { Board } from './board/board.ts'
export type { Feature, FeaturePatch } from './board/feature.ts'
export {
  type Config,
  type ConfigRequest,
  resolveConfig,
  type Settings,
  type SettingsInput,
} from './config.ts'
export { type ErrorCode, isRalphError, messageOf, RalphError } from './errors.ts'
export type {
  FeatureStatistics,
  ForgetSelection,
  JournalReport,
  RecordedRun,
  SearchResult,
} from './feature-memory/feature-memory.ts'
export type { FileHistory, SearchOptions } from './feature-memory/recall.ts'
export {
  type Decision,
  type FileAction,
  type IterationRecord,
  type NewIteration,
  OUTCOMES,
  type Outcome,
  type RecordedError,
  type TouchedFile,
} from './feature-memory/record.ts'
export type { RunSource, RunToRecord } from './feature-memory/record-run.ts'
export { examine, type Finding } from './health/doctor.ts'
export { type DiskUsage, diskUsage, type RagStatus, ragLine, ragStatus } from './health/status.ts'
export type { Notice } from './notices.ts'
export { type SetupStep, setUpProject } from './project-setup.ts'
export { type OpenOptions, openRalph, type Ralph } from './ralph.ts'
export { ReceiptLog } from './receipts/log.ts'
export { type ReceiptPage, type ReceiptQuery, readReceipts } from './receipts/read.ts'
export {
  type NewReceipt,
  type NewRunEnding,
  type Receipt,
  type ReceiptItem,
  type ReceiptReport,
  type RunEnding,
  SURFACES,
  type Surface,
} from './receipts/receipt.ts'
export { type RunTraces, usedSources } from './receipts/used.ts'
export { snakeKeys } from './text/case.ts'
export { type Redaction, redact } from './text/redact.ts'
export { asData, sanitise } from './text/sanitise.ts'
export { tokensAtMost } from './text/token-bound.ts'
