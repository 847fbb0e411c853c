import { expect, it } from 'vitest'
import { isLoopPrompt, LOOP_PROMPT_MARK } from '../../src/transcripts/own-marks.ts'

it('knows the prompts of the loop, also of earlier versions', () => {
  for (const text of [
    `${LOOP_PROMPT_MARK} one task of this project.`,
    '\nYou are one of many iterations that work on this project, one task at a time.',
    'You review the feature "auth". You build nothing new',
  ]) {
    expect(isLoopPrompt(text)).toBe(true)
  }
})

it('leaves what people say to them', () => {
  for (const text of ['How does the Ralph loop run: is it safe?', 'You review the code please', '']) {
    expect(isLoopPrompt(text)).toBe(false)
  }
})
