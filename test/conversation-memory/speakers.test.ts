import { describe, expect, it } from 'vitest'
import { namedSpeaker, speakersOf, withoutTime } from '../../src/conversation-memory/speakers.ts'

describe('who speaks', () => {
  it.each([
    {
      messages: ['Caroline: I went to the group', 'Melanie: How was it?'],
      speakers: ['Caroline', 'Melanie'],
    },
    { messages: ['Ana María: hola', 'Ana María: adiós'], speakers: ['Ana María'] },
    { messages: ['Jean-Luc O’Neill: yes', ''], speakers: ['Jean-Luc O’Neill'] },
    {
      messages: ['[8 May 2023, 10:30] Caroline: hi', '(Monday) Melanie: hello'],
      speakers: ['Caroline', 'Melanie'],
    },
    {
      messages: ['2023-05-08 10:30 - Caroline: hi', 'Melanie (10:31): hello'],
      speakers: ['Caroline', 'Melanie'],
    },
    { messages: ['**Caroline**: hi', '**Melanie:** hello'], speakers: ['Caroline', 'Melanie'] },
    { messages: ['[Caroline] hi', '<Melanie> hello'], speakers: ['Caroline', 'Melanie'] },
    { messages: ['Caroline said, "hi"', 'Melanie asked: how?'], speakers: ['Caroline', 'Melanie'] },
    { messages: ['Please look: this fails', 'see http://localhost:3000'], speakers: [] },
    { messages: ['Fix this:\nit fails', 'C:\\temp is full'], speakers: [] },
    { messages: ['It is 10:30 already', 'Foo:bar'], speakers: [] },
  ])('is told by $messages', ({ messages, speakers }) => {
    expect(speakersOf(messages)).toEqual(speakers)
  })

  it.each([
    { question: 'When did Caroline go?', named: 'Caroline' },
    { question: "what is ana's job", named: 'Ana María' },
    { question: 'When did Caroline and Ana meet?', named: undefined },
    { question: 'What about the carolines', named: undefined },
    { question: 'Who went?', named: undefined },
  ])('is named by "$question": $named', ({ question, named }) => {
    expect(namedSpeaker(question, ['Caroline', 'Ana María', 'Caroline'])).toBe(named)
  })

  it.each([
    { message: '[8 May 2023, 10:30] Caroline: hi', said: 'Caroline: hi' },
    { message: '10:30 - Caroline: hi', said: 'Caroline: hi' },
    { message: 'Caroline: hi', said: 'Caroline: hi' },
    // Nobody is named after it: it may be what is said.
    { message: '[draft] the plan', said: '[draft] the plan' },
    { message: '2023-05-08 was a Monday', said: '2023-05-08 was a Monday' },
  ])('is told without the time before it in "$message"', ({ message, said }) => {
    expect(withoutTime(message)).toBe(said)
  })
})
