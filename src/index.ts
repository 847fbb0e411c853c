/** The public API. Everything here is documented in docs/library.md and follows semantic versioning. */

export {
  CLAUDE_HOOKS,
  HOOK_SCOPES,
  type HookScope,
  hookEntry,
  hooksFile,
  type InstalledHook,
  installedHooks,
  installHooks,
  uninstallHooks,
} from './agent-config/claude-hooks.ts'
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
export { ralphCommandLine } from './agent-config/ralph-command.ts'
export type { Board } from './board/board.ts'
export {
  type CurrentFeature,
  chooseFeature,
  chosenFeature,
  currentFeature,
  GENERAL_FEATURE,
} from './board/current-feature.ts'
export type { Discipline, DisciplinePatch, NewDiscipline } from './board/discipline.ts'
export type { ContextFile, Feature, FeaturePatch, NewFeature } from './board/feature.ts'
export type { BoardProblem } from './board/problems.ts'
export {
  type NewTask,
  parsePriority,
  TASK_STATUSES,
  type Task,
  type TaskComment,
  type TaskPatch,
  type TaskStatus,
} from './board/task.ts'
export { type ChatOptions, runChat } from './chat/terminal.ts'
export {
  type Config,
  type ConfigRequest,
  resolveConfig,
  type Settings,
  type SettingsInput,
} from './config.ts'
export {
  type CommandContext,
  type CommandResult,
  type ConversationCommand,
  UsageError,
} from './conversation-memory/commands/command.ts'
export { CONVERSATION_COMMANDS, runConversationCommand } from './conversation-memory/commands/commands.ts'
export type { Conversations } from './conversation-memory/conversations.ts'
export type { ConversationDetails, ExchangeDetails } from './conversation-memory/details.ts'
export type { ImportReport } from './conversation-memory/import/report.ts'
export { contextSection } from './conversation-memory/retrieve/context.ts'
export type { FoundConversation, FoundExchange, Retrieval } from './conversation-memory/retrieve/retriever.ts'
export { WORKERS, type WorkerName, type WorkerStatus } from './conversation-memory/workers/workers.ts'
export { type ErrorCode, isRalphError, messageOf, RalphError } from './errors.ts'
export { commandKey } from './feature-memory/command-key.ts'
export { type Extraction, extract } from './feature-memory/extract/extract.ts'
export {
  type FailedAction,
  type FailedActions,
  failedActions,
  type SeenError,
} from './feature-memory/failed-actions.ts'
export { failureSignatures } from './feature-memory/failure-signatures.ts'
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
export { escapeFeature, parseFeatureName, unescapeFeature } from './files/feature-name.ts'
export { withFileLock } from './files/file-lock.ts'
export { projectPath } from './files/project-path.ts'
export { examine, type Finding } from './health/doctor.ts'
export {
  type DiskUsage,
  diskUsage,
  type PartHealth,
  type RagStatus,
  ragLine,
  ragStatus,
  storageStatus,
} from './health/status.ts'
export type { AppendResult } from './learnings/append.ts'
export type { CareResult, Caretaker } from './learnings/care.ts'
export type { ShownLearning } from './learnings/display.ts'
export {
  type FeatureLearning,
  LEARNING_SOURCES,
  type LearningSource,
  learningId,
} from './learnings/learning.ts'
export type { Learnings, NewLearning } from './learnings/store.ts'
export type { AgentLoop } from './loop/agent-loop.ts'
export type { LoopEvent, LoopSummary, StopCause } from './loop/events.ts'
export type { LoopOptions, LoopSignals } from './loop/parts.ts'
export type { Prompt } from './loop/prompt/assemble.ts'
export { workingChange } from './loop/working-change.ts'
export {
  type IndexReport,
  type MigrationProgress,
  type MigrationReport,
  type MigrationRequest,
  migrate,
} from './migrate/migrate.ts'
export { BACKENDS, type Backend, type Move } from './migrate/plan.ts'
export type { CopyReport } from './migrate/storage-copy.ts'
export type { Notice } from './notices.ts'
export type { CheckpointResult } from './project-knowledge/checkpoint.ts'
export {
  KINDS as KNOWLEDGE_KINDS,
  type Kind as KnowledgeKind,
  type Knowledge,
  type NewKnowledge,
} from './project-knowledge/entry.ts'
export type { Gate, GateRequest } from './project-knowledge/gate.ts'
export type { Pattern as KnowledgePattern } from './project-knowledge/patterns.ts'
export type { ProjectKnowledge } from './project-knowledge/project-knowledge.ts'
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
export { plural } from './text/plural.ts'
export { type Redaction, redact } from './text/redact.ts'
export { asData, sanitise } from './text/sanitise.ts'
export { tokensAtMost } from './text/token-bound.ts'
export type { AgentRun } from './transcripts/agent-run.ts'
export { Collector } from './transcripts/collector.ts'
