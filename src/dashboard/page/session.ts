import { signal } from '@preact/signals'
import { answerOf, api, Trouble } from './client.ts'

type Session = Awaited<ReturnType<typeof askForSession>>

/** Where we are, what may be done here, and what is degraded; undefined until the server has said so. */
export const session = signal<Session | undefined>(undefined)

export async function loadSession(): Promise<void> {
  try {
    session.value = await askForSession()
  } catch (error) {
    if (!(error instanceof Trouble)) throw error // the frame says that nobody answers, and asks again once somebody does
  }
}

function askForSession() {
  return answerOf(api.session.$get())
}
