import type { ScriptStart } from './hook-program.ts'

/** By which a file of ours is known, whatever else is in it. */
export const SCRIPT_MARK = 'Hooks of Ralph Memory, written by `ralph hooks install`'

/**
 * What both scripts begin with: a hook is a process of its own with a deadline of its own, so that whatever is wrong with it
 * the session goes on as if it were not there.
 */
function beginning(agent: string, { words }: ScriptStart): string {
  return `// ${SCRIPT_MARK}; \`ralph hooks uninstall --agent ${agent}\` removes this file.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'

const START = ${JSON.stringify(words)}
const LONGEST_MS = 2000
const MOST_OUTPUT = 60000

/** What ralph answers; nothing, whatever goes wrong. */
function tell(event, input) {
  return new Promise((resolve) => {
    try {
      const found = START.length > 0 && START.every((path) => existsSync(path))
      const [program, ...words] = found ? START : ['ralph']
      const child = spawn(program, [...words, 'hook', event, '--agent', '${agent}'], {
        stdio: ['pipe', 'pipe', 'ignore'],
        windowsHide: true,
        shell: !found && process.platform === 'win32',
      })
      let text = ''
      const leave = (answer) => {
        clearTimeout(timer)
        resolve(answer ?? {})
      }
      const timer = setTimeout(() => {
        child.kill()
        leave()
      }, LONGEST_MS)
      child.on('error', () => leave())
      child.stdin.on('error', () => undefined)
      child.stdout.on('data', (chunk) => {
        text += chunk
      })
      child.on('close', () => {
        try {
          leave(JSON.parse(text).hookSpecificOutput)
        } catch {
          leave()
        }
      })
      child.stdin.end(JSON.stringify(input))
    } catch {
      resolve({})
    }
  })
}

/** Both ends of it, where an error is said. */
function cut(output) {
  const text = String(output ?? '')
  return text.length > MOST_OUTPUT ? text.slice(0, MOST_OUTPUT / 4) + '\\n' + text.slice(-MOST_OUTPUT * 0.75) : text
}
`
}

/** A plugin of opencode. */
export function opencodePlugin(start: ScriptStart): string {
  return `${beginning('opencode', start)}
const CHANGES = ['bash', 'edit', 'write', 'apply_patch', 'patch']

export default async ({ directory }) => {
  /** What each session was told: the system prompt is put together anew for every call of the model. */
  const told = new Map()
  const say = (event, sessionID, more) => tell(event, { session_id: sessionID, cwd: directory, ...more })
  return {
    'chat.message': async ({ sessionID }, { message, parts }) => {
      const prompt = parts
        .filter((part) => part.type === 'text' && !part.synthetic)
        .map((part) => part.text)
        .join('\\n')
      const { additionalContext } = await say('UserPromptSubmit', sessionID, { prompt })
      const texts = told.get(sessionID)?.texts ?? []
      if (additionalContext) texts.push(additionalContext)
      told.set(sessionID, { texts, model: message?.model?.modelID })
    },
    'experimental.chat.system.transform': async ({ sessionID, model }, { system }) => {
      const { texts = [], model: asked } = told.get(sessionID) ?? {}
      // Not for whoever makes up a title.
      if (asked === undefined || model?.id === undefined || asked === model.id) system.push(...texts)
    },
    'tool.execute.before': async ({ tool, sessionID }, { args }) => {
      if (!CHANGES.includes(tool)) return
      const answer = await say('PreToolUse', sessionID, { tool_name: tool, tool_input: args })
      if (answer.permissionDecision === 'deny') throw new Error(answer.permissionDecisionReason)
    },
    'tool.execute.after': async ({ tool, sessionID, args }, result) => {
      const exit = result.metadata?.exit
      if (tool !== 'read' && !(tool === 'bash' && typeof exit === 'number' && exit !== 0)) return
      const { additionalContext } = await say('PostToolUse', sessionID, {
        tool_name: tool,
        tool_input: args,
        exit_code: exit,
        output: tool === 'bash' ? cut(result.output) : '',
      })
      if (additionalContext) result.output += '\\n\\n' + additionalContext
    },
    event: async ({ event }) => {
      const sessionID = event.properties?.sessionID
      if (event.type === 'session.idle' && told.has(sessionID)) await say('Stop', sessionID)
    },
    dispose: async () => {
      await Promise.all([...told.keys()].map((sessionID) => say('SessionEnd', sessionID)))
    },
  }
}
`
}

/** An extension of pi. */
export function piExtension(start: ScriptStart): string {
  return `${beginning('pi', start)}
export default (pi) => {
  const say = (event, ctx, more) =>
    tell(event, {
      session_id: ctx.sessionManager.getSessionId(),
      transcript_path: ctx.sessionManager.getSessionFile(),
      cwd: ctx.cwd,
      ...more,
    })
  pi.on('session_start', async ({ reason }, ctx) => {
    await say('SessionStart', ctx, { source: reason })
  })
  pi.on('before_agent_start', async ({ prompt }, ctx) => {
    const { additionalContext } = await say('UserPromptSubmit', ctx, { prompt })
    if (additionalContext)
      return { message: { customType: 'ralph-memory', content: additionalContext, display: false } }
  })
  pi.on('tool_call', async ({ toolName, input }, ctx) => {
    if (!['bash', 'edit', 'write'].includes(toolName)) return
    const answer = await say('PreToolUse', ctx, { tool_name: toolName, tool_input: input })
    if (answer.permissionDecision === 'deny') return { block: true, reason: answer.permissionDecisionReason }
  })
  pi.on('tool_result', async ({ toolName, input, content, isError }, ctx) => {
    if (toolName !== 'read' && !(toolName === 'bash' && isError)) return
    const output = content.map((part) => part.text ?? '').join('\\n')
    const { additionalContext } = await say('PostToolUse', ctx, {
      tool_name: toolName,
      tool_input: input,
      failed: isError,
      output: toolName === 'bash' ? cut(output) : '',
    })
    if (additionalContext) return { content: [...content, { type: 'text', text: additionalContext }] }
  })
  pi.on('session_before_compact', async (_, ctx) => {
    await say('PreCompact', ctx)
  })
  pi.on('agent_end', async (_, ctx) => {
    await say('Stop', ctx)
  })
  pi.on('session_shutdown', async (_, ctx) => {
    await say('SessionEnd', ctx)
  })
}
`
}
