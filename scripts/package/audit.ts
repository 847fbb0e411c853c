/** Whether anything that we use is known to be vulnerable: npm asks its registry. */
import { isObject } from '../../src/text/json.ts'
import type { Checked, Finding } from './finding.ts'
import { npmAnswer } from './npm.ts'

const ASKED = [
  { title: 'what users install', words: ['--omit=dev'] },
  { title: 'what development installs', words: [] },
]

/** Not every registry can be asked: that is said, and only where an answer is required it is a failure. */
export function audit(root: string, required: boolean): Checked {
  const answers = ASKED.map(({ title, words }) => ({
    title,
    answer: npmAnswer(root, ['audit', '--json', ...words]),
  }))
  const found = answers.flatMap(({ title, answer }) => vulnerabilities(title, answer) ?? [])
  const unanswered = answers.filter(({ title, answer }) => vulnerabilities(title, answer) === undefined)
  if (unanswered.length === 0) return { said: 'npm audit: nothing known to be vulnerable', found }
  if (!required) {
    return { said: 'npm audit: not checked, the registry in use does not answer it', found, unasked: true }
  }
  const wrong = `npm audit has no answer for ${unanswered.map(({ title }) => title).join(' and ')}`
  return {
    said: '',
    found: [...found, { wrong, todo: 'ask a registry that answers it: npm config set registry' }],
  }
}

/** What npm's answer says; undefined if it is none. */
export function vulnerabilities(title: string, answer: string): Finding[] | undefined {
  const report: unknown = answer.trim() === '' ? undefined : JSON.parse(answer)
  if (!isObject(report) || !isObject(report['vulnerabilities'])) return undefined
  return Object.entries(report['vulnerabilities']).map(([name, entry]) => ({
    wrong: `${name}, part of ${title}, is known to be vulnerable (${isObject(entry) ? entry['severity'] : 'unknown'})`,
    todo: 'npm audit says how and since when; npm audit fix takes a version that is not',
  }))
}
