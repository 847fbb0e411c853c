import { connect } from 'node:net'
import { helperAddress, isTrustedAddress } from './helper-address.ts'

export interface HelperQuestion {
  prompt: string
  /** Conversations that the session knows already, its own among them. */
  excluding: string[]
}

/** Empty when nothing is clearly related. */
export interface HelperAnswer {
  text: string
  conversations: { id: string; similarity: number }[]
}

/** Undefined when no helper runs. The caller's watchdog limits the wait. */
export function askHelper(home: string, question: HelperQuestion): Promise<HelperAnswer | undefined> {
  const address = helperAddress(home)
  if (!isTrustedAddress(address)) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(address)
    socket.setEncoding('utf8')
    socket.on('connect', () => socket.write(`${JSON.stringify(question)}\n`))
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('end', () => resolve(parse(text)))
    socket.on('error', () => resolve(undefined))
  })
}

function parse(text: string): HelperAnswer | undefined {
  try {
    const answer = JSON.parse(text)
    return Array.isArray(answer?.conversations) ? answer : undefined
  } catch {
    return undefined // it was ended in the middle of its answer
  }
}
