import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePrice } from '../src/parse-price.js'

test('reads thousands', () => assert.equal(parsePrice('1,234.50'), 1234.5))
