/**
 * In the bundle this stands for the part of the MCP library that depends on where it runs (`_shims`). Its own for Node loads a
 * validator of 280 kB, 20 ms of a server's start, for what people answer when a tool asks them something: ours never do.
 */
export { default as process } from 'node:process'

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('what people answer to questions of tools cannot be checked: scripts/sdk-shims.ts')
  }
}
