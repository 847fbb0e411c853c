import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'
import type { Feature } from '../board/feature.ts'
import { readProjectText } from '../files/project-text.ts'
import { nameOrQuoted, quoted, quotedLines } from '../text/quote.ts'
import { featureText } from './feature-text.ts'
import { knownFeatures, type McpSession } from './session.ts'

const SCHEME = 'feature://'
/** More of a file than this no model should be given at once. */
const MOST_BYTES = 200_000

/** `feature://NAME` and the files listed for it: nothing else of the project can be read this way. */
export function registerResources(server: McpServer, session: McpSession): void {
  const features = new ResourceTemplate(`${SCHEME}{name}`, {
    list: async () => {
      const ralph = await session.open()
      const names = session.feature === undefined ? await knownFeatures(ralph) : [session.feature]
      return {
        resources: names.map((name) => ({
          uri: featureUri(name),
          name: nameOrQuoted(name, 100),
          title: `Feature ${quoted(name, 100)}`,
        })),
      }
    },
  })
  server.registerResource(
    'feature',
    features,
    {
      title: 'A feature',
      description: 'What the feature is, where it stands, and what was learned about it.',
      mimeType: 'text/markdown',
    },
    async (uri) => ({ contents: [await readFeature(uri.href, session)] }),
  )

  const files = new ResourceTemplate(`${SCHEME}{name}/files/{+path}`, {
    list: async () => {
      const ralph = await session.open()
      const all = await ralph.board.features()
      const shown = all.filter(({ name }) => session.feature === undefined || name === session.feature)
      return {
        resources: shown.flatMap((feature) =>
          listedFiles(feature).map((path) => ({
            uri: `${featureUri(feature.name)}/files/${path.split('/').map(encodeURIComponent).join('/')}`,
            name: nameOrQuoted(path),
            title: `${nameOrQuoted(path)} (${quoted(feature.name, 100)})`,
          })),
        ),
      }
    },
  })
  server.registerResource(
    'feature-file',
    files,
    {
      title: 'A file of a feature',
      description: 'A knowledge or context file that is listed for the feature.',
      mimeType: 'text/plain',
    },
    async (uri) => ({ contents: [await readFeatureFile(uri.href, session)] }),
  )
}

interface TextContents {
  uri: string
  mimeType: string
  text: string
}

async function readFeature(uri: string, session: McpSession): Promise<TextContents> {
  const { feature } = parseUri(uri, session)
  const ralph = await session.open()
  const described = await ralph.board.findFeature(feature)
  if (!described && !(await ralph.featureMemory.features()).includes(feature)) throw notFound(uri)
  const text = await featureText(ralph, feature)
  const item = { kind: 'feature', source: uri, why: 'read as a resource', text }
  await session.noteHandedOver(ralph, { event: 'resources/read', feature, items: [item], shown: text })
  return { uri, mimeType: 'text/markdown', text }
}

async function readFeatureFile(uri: string, session: McpSession): Promise<TextContents> {
  const { feature, path } = parseUri(uri, session)
  const ralph = await session.open()
  const described = await ralph.board.findFeature(feature)
  // Only what somebody listed, spelled as listed: there is no path to argue about.
  if (path === undefined || !described || !listedFiles(described).includes(path)) throw notFound(uri)
  const text = await fileText(ralph.config.project, path)
  if (text === undefined) throw notFound(uri)
  const item = { kind: 'file', source: path, why: 'read as a resource', text }
  await session.noteHandedOver(ralph, { event: 'resources/read', feature, items: [item], shown: text })
  return { uri, mimeType: 'text/plain', text }
}

async function fileText(project: string, path: string): Promise<string | undefined> {
  const file = await readProjectText(project, path, MOST_BYTES)
  if (file.kind === 'binary') return `[${nameOrQuoted(path)} is not text]`
  if (file.kind !== 'text') return undefined
  const rest = `\n[truncated: the file has ${file.bytes} bytes; read it directly]`
  const text = quotedLines(file.text)
  return file.bytes > MOST_BYTES ? `${text}${rest}` : text
}

function listedFiles({ knowledgePaths, contextFiles }: Feature): string[] {
  return [...new Set([...knowledgePaths, ...contextFiles.map(({ path }) => path)])]
}

function featureUri(name: string): string {
  return SCHEME + encodeURIComponent(name)
}

function parseUri(uri: string, session: McpSession): { feature: string; path?: string } {
  const match = /^feature:\/\/([^/?#]+)(?:\/files\/(.+))?$/i.exec(uri)
  const feature = decode(match?.[1])
  const path = match?.[2] === undefined ? undefined : decode(match[2])
  if (feature === undefined || (match?.[2] !== undefined && path === undefined)) throw notFound(uri)
  // A locked server does not even say whether another feature exists.
  if (session.feature !== undefined && feature !== session.feature) throw notFound(uri)
  return { feature, ...(path !== undefined && { path }) }
}

function decode(part: string | undefined): string | undefined {
  try {
    return part === undefined ? undefined : decodeURIComponent(part).normalize('NFC')
  } catch {
    return undefined // a stray %
  }
}

function notFound(uri: string): ResourceNotFoundError {
  return new ResourceNotFoundError(uri, 'There is no such resource. resources/list shows what can be read.')
}
