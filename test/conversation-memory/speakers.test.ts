import { describe, expect, it } from 'vitest'
import { namedSpeaker, speakersOf } from '../../src/conversation-memory/speakers.ts'

describe('who speaks', () => {
  it.each([
    {
      messages: ['Caroline: I went to the group', 'Melanie: How was it?'],
      speakers: ['Caroline', 'Melanie'],
    },
    { messages: ['Ana María: hola', 'Ana María: adiós'], speakers: ['Ana María'] },
    { messages: ['Jean-Luc O’Neill: yes', ''], speakers: ['Jean-Luc O’Neill'] },
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
})
