import type { Deferred } from '../deferred.ts'
import type { AddOptions, Documents, WatchedDocuments } from '../documents/documents.ts'
import type { DocumentSource, KeptDocument } from '../documents/record.ts'
import type { DocumentsProgress, DocumentsReport } from '../documents/report.ts'
import { RalphError, UsageError } from '../errors.ts'
import { plural } from '../text/plural.ts'
import {
  type CommandContext,
  type CommandResult,
  type ConversationCommand,
  day,
  type Given,
  type Paint,
  said,
} from './command.ts'

const LATER = {
  flags: '--later',
  description: 'found by words at once; leave the meaning to `ralph workers run`',
}
const LIMITS = [
  { flags: '--max-files <number>', description: 'of a folder (default 10000)', value: 'count' as const },
  {
    flags: '--max-size <megabytes>',
    description: 'of one file (default 2, of PDFs 100)',
    value: 'count' as const,
  },
]
const MEGABYTE = 1_000_000

const add: ConversationCommand = {
  name: 'documents add',
  arguments: '<path...>',
  options: [...LIMITS, LATER],
  description:
    'take in files and folders: Markdown, text, source, PDF; what git ignores is left out, secrets are masked',
  examples: ['docs', '~/notes handbook.pdf', 'specs --max-files 50000 --later'],
  run: addPaths,
}

/** The same under the name that people look for in a chat. */
const indexDocument: ConversationCommand = {
  name: 'index document',
  only: 'chat',
  arguments: '<path...>',
  options: [...LIMITS, LATER],
  description: 'take in a file or a folder: the same as /documents add',
  examples: ['handbook.pdf'],
  run: addPaths,
}

const sync: ConversationCommand = {
  name: 'documents sync',
  arguments: '[path...]',
  options: [LATER],
  description:
    'look again at what was added: read what has changed, forget what has gone (default: all of it)',
  examples: ['', 'docs'],
  async run(context, { words, options }) {
    return reported(await those(context).sync(words, watched(context, options)))
  },
}

const list: ConversationCommand = {
  name: 'documents list',
  arguments: '[path]',
  byDefault: true,
  description: 'what was added, or the files of one of these',
  examples: ['', 'docs'],
  async run(context, { words: [path] }) {
    const documents = those(context)
    return path === undefined
      ? sourcesResult(await documents.list())
      : filesResult(await documents.files(path))
  },
}

const remove: ConversationCommand = {
  name: 'documents remove',
  forPeople: 'remove documents',
  arguments: '[path...]',
  options: [{ flags: '--all', description: 'everything that was added' }],
  asks: true,
  description: 'forget what was added at a path; the files themselves stay as they are',
  examples: ['docs', '--all'],
  async run(context, { words, options }) {
    const documents = those(context)
    const { all = false } = options as { all?: boolean }
    if (all === words.length > 0) throw new UsageError(all ? '--all, or a path?' : 'which path, or --all?')
    const forget = async () => {
      const removed = all ? await documents.removeAll() : await documents.remove(words)
      const { sources, documents: files, pieces } = removed
      return said(
        removed,
        `Forgotten: ${plural(files, 'file')} in ${plural(pieces, 'piece')}, of ${sources.join(', ') || 'nothing'}`,
      )
    }
    if (!all) return forget()
    const sources = await documents.list()
    const question = `This forgets all documents: ${plural(sources.length, 'file or folder', 'files and folders')}. The files themselves stay.`
    return { ...said({}, ''), confirm: { question, go: forget } }
  },
}

export const documentCommands = [add, indexDocument, list, sync, remove]

function those({ documents }: CommandContext): Deferred<Documents> {
  if (documents) return documents
  throw new RalphError('unavailable', 'documents are not at hand here')
}

async function addPaths(context: CommandContext, { words, options }: Given): Promise<CommandResult> {
  const { maxFiles, maxSize } = options as { maxFiles?: number; maxSize?: number }
  const wanted: AddOptions = {
    ...watched(context, options),
    ...(maxFiles !== undefined && { maxFiles }),
    ...(maxSize !== undefined && { maxBytes: maxSize * MEGABYTE }),
  }
  return reported(await those(context).add(words, wanted))
}

function watched({ signal, onProgress }: CommandContext, options: Given['options']): WatchedDocuments {
  return {
    signal,
    onProgress: (progress) => onProgress(progressText(progress)),
    embed: options['later'] !== true,
  }
}

const DOING: Record<DocumentsProgress['doing'], string> = {
  looking: 'looking',
  reading: 'reading',
  indexing: 'making it findable by words',
  embedding: 'making it findable by meaning',
}

function progressText({ doing, done, total, path }: DocumentsProgress): string {
  if (doing === 'indexing') return DOING.indexing
  const far = total === undefined ? `${done} files` : `${done} of ${total}`
  return `${DOING[doing]}: ${far}${path === undefined ? '' : `, ${path}`}`
}

function reported(report: DocumentsReport): CommandResult {
  return {
    data: report,
    text: (paint) => reportText(report, paint),
    ...(report.waiting > 0 && {
      remark: `${plural(report.waiting, 'piece')} can be found by words; by meaning, too, after: ralph workers run --once`,
    }),
  }
}

function reportText(report: DocumentsReport, paint: Paint): string {
  const { files, pieces, leftOut, failed, moreFailed, remarks, secretsMasked } = report
  return [
    `${plural(files.added, 'file')} added, ${files.changed} changed, ${files.unchanged} unchanged, ${files.removed} removed; ${plural(pieces.added, 'new piece')}`,
    ...remarks,
    ...(secretsMasked > 0 ? [`${plural(secretsMasked, 'secret')} masked`] : []),
    ...(leftOut.length > 0 ? ['Left out:'] : []),
    ...leftOut.map(({ why, count, examples }) => `  ${count} × ${why}, e.g. ${examples[0]}`),
    ...(failed.length > 0 ? [paint('yellow', 'Not read:')] : []),
    ...failed.flatMap(({ path, why, hint, keptAsItWas }) => [
      `  ${path}: ${why}${keptAsItWas ? '; kept as it was' : ''}`,
      ...(hint === undefined ? [] : [paint('dim', `    → ${hint}`)]),
    ]),
    ...(moreFailed > 0 ? [`  and ${moreFailed} more`] : []),
  ].join('\n')
}

function sourcesResult(sources: readonly DocumentSource[]): CommandResult {
  return {
    data: { sources },
    text: (paint) =>
      sources
        .map(({ path, documents, pieces, problems, machine, syncedAt }) => {
          const facts = [
            plural(documents, 'file'),
            plural(pieces, 'piece'),
            ...(problems > 0 ? [`${problems} not read`] : []),
            ...(machine === undefined ? [] : [`on ${machine}`]),
            ...(syncedAt ? [`synced ${day(syncedAt)}`] : []),
          ]
          return `${path}  ${paint('dim', facts.join(' · '))}`
        })
        .join('\n'),
    ...(sources.length === 0 && { remark: 'No documents yet. Take some in: ralph documents add PATH' }),
  }
}

function filesResult(files: readonly KeptDocument[]): CommandResult {
  return {
    data: { files },
    text: (paint) =>
      files
        .map(({ path, title, pieces, problem }) =>
          [
            path,
            paint('dim', `${plural(pieces, 'piece')} · ${title}`),
            ...(problem === undefined ? [] : [paint('yellow', problem)]),
          ].join('  '),
        )
        .join('\n'),
  }
}
