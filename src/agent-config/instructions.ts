import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { EditedFile, type EditResult } from './edited-file.ts'

/** Between these, and nowhere else, the words are ours. */
const BEGIN = '<!-- ralph-memory: begin (ralph mcp config --instructions --remove takes this out) -->'
const END = '<!-- ralph-memory: end -->'
const SECTION = /(?:\r?\n)?<!-- ralph-memory: begin [^\n]*-->[\s\S]*?<!-- ralph-memory: end -->(?:\r?\n)?/g

/** Information, no orders: whoever reads it decides what to do with it. */
export const INSTRUCTIONS = `## Memory of earlier work

This project keeps what earlier sessions did, decided and learned, also those of other coding agents. It can be asked through
the tools of the MCP server \`ralph\` (in a shell: \`ralph search "…"\`):

- \`search_feature_memory\` and \`get_failed_attempts\`: what was tried on a feature, and what came of it
- \`get_recent_iterations\`: where the last session left off
- \`append_feature_learning\`: keeps something that would help the next session, with the reason for it

What it answers are observations with their source; they may be outdated.`

/** The files that agents read; most know the first. */
const FILES = ['AGENTS.md', 'GEMINI.md']

export interface SectionPlace {
  project: string
  home: string
}

/**
 * Where the section goes: into AGENTS.md, which Codex, opencode, Copilot, pi and Qwen Code read, and for Gemini CLI, which reads
 * GEMINI.md unless it is told otherwise, there.
 */
export function sectionFilesFor(clients: readonly string[], { project }: SectionPlace): string[] {
  const readers = clients.filter((client) => client !== 'gemini' && client !== 'claude-code')
  return [
    ...(readers.length > 0 ? ['AGENTS.md'] : []),
    ...(clients.includes('gemini') ? ['GEMINI.md'] : []),
  ].map((name) => join(project, name))
}

/** All files that may have it. */
export function sectionFiles({ project }: SectionPlace): string[] {
  return FILES.map((name) => join(project, name)).filter((file) => existsSync(file))
}

export async function hasSection(file: string, place: SectionPlace): Promise<boolean> {
  return new RegExp(SECTION.source).test((await edited(file, place).read()) ?? '')
}

/** At the end of the file; one that is there is brought up to date. */
export function writeSection(file: string, place: SectionPlace): Promise<EditResult> {
  return edited(file, place).edit((text) => {
    const newline = text.includes('\r\n') ? '\r\n' : '\n'
    const section = `${[BEGIN, INSTRUCTIONS, END].join('\n')}\n`.replaceAll('\n', newline)
    if (new RegExp(SECTION.source).test(text))
      return text.replace(SECTION, (found) => (/^\r?\n/.test(found) ? newline : '') + section)
    if (text === '') return section
    return `${text}${text.endsWith('\n') ? '' : newline}${newline}${section}`
  })
}

export function removeSection(file: string, place: SectionPlace): Promise<EditResult> {
  return edited(file, place).undo((text) => text.replace(SECTION, ''))
}

function edited(path: string, { project, home }: SectionPlace): EditedFile {
  return new EditedFile({ path, project, undoDir: join(home, 'undo'), part: 'section' })
}
