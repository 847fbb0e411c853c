import type { Opened } from '../../lookup/open.ts'
import { errorPage, featurePage, iterationPage, learningPage, taskPage } from './feature-things.ts'
import type { ShowPage } from './leads.ts'
import {
  conversationPage,
  exchangePage,
  gatePage,
  knowledgePage,
  piecePage,
  receiptPage,
} from './user-things.ts'

/** One thing in full, for a person. */
export async function showText(page: ShowPage, opened: Opened): Promise<string> {
  return (await linesOf(page, opened)).join('\n')
}

function linesOf(page: ShowPage, opened: Opened): string[] | Promise<string[]> {
  switch (opened.kind) {
    case 'iteration':
      return iterationPage(page, opened)
    case 'learning':
      return learningPage(page, opened)
    case 'error':
      return errorPage(page, opened)
    case 'feature':
      return featurePage(page, opened)
    case 'task':
      return taskPage(page, opened)
    case 'knowledge':
      return knowledgePage(page, opened)
    case 'conversation':
      return conversationPage(page, opened)
    case 'exchange':
      return exchangePage(page, opened)
    case 'document':
      return piecePage(page, opened)
    case 'receipt':
      return receiptPage(page, opened)
    case 'gate':
      return gatePage(page, opened)
  }
}
