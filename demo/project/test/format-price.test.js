import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatPrice } from '../src/format-price.js'

test('formats whole amounts', () => assert.equal(formatPrice(2), '2.00'))
test('rounds half a cent up', () => assert.equal(formatPrice(1.005), '1.01'))
