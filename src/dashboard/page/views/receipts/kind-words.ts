/** `failed_attempt` → "failed attempt". */
export function kindWords(kind: string): string {
  return kind.replaceAll('_', ' ')
}

const SURFACE_NAMES: Readonly<Record<string, string>> = {
  loop: 'the loop',
  mcp: 'MCP',
  hook: 'a hook',
  chat: 'the chat',
}

/** Which part of us told it. */
export function surfaceName(surface: string): string {
  return SURFACE_NAMES[surface] ?? surface
}
