import { signal } from '@preact/signals'
import { answerOf, api } from './client.ts'

type Session = Awaited<ReturnType<typeof askForSession>>

/** Where we are, what may be done here, and what is degraded; undefined until the server has said so. */
export const session = signal<Session | undefined>(undefined)

export async function loadSession(): Promise<void> {
  session.value = await askForSession()
}

function askForSession() {
  return answerOf(api.session.$get())
}
