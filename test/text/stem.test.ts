import { expect, it } from 'vitest'
import { stem } from '../../src/text/stem.ts'

// From the sample vocabulary that Snowball publishes with the algorithm.
it.each([
  ['consign', 'consign'],
  ['consigned', 'consign'],
  ['consisting', 'consist'],
  ['consistency', 'consist'],
  ['consolations', 'consol'],
  ['conspicuously', 'conspicu'],
  ['constables', 'constabl'],
  ['knackeries', 'knackeri'],
  ['kneaded', 'knead'],
  ['knightly', 'knight'],
  ['knocking', 'knock'],
  ['relational', 'relat'],
  ['generically', 'generic'],
  ['communism', 'communism'],
  ['hopping', 'hop'],
  ['hoped', 'hope'],
  ['agreed', 'agre'],
  ['proceeds', 'proceed'],
  ['dying', 'die'],
  ['ties', 'tie'],
  ['cries', 'cri'],
  ['gas', 'gas'],
  ['kiwis', 'kiwi'],
  ['as', 'as'],
  ['yellows', 'yellow'],
  ['sayings', 'say'],
  ['rolling', 'roll'],
  ['controlled', 'control'],
])('%s → %s', (word, expected) => {
  expect(stem(word)).toBe(expected)
})
