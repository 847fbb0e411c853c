import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitBill } from '../src/split-bill.js'

test('loses no cent', () => assert.deepEqual(splitBill(100, 3), [34, 33, 33]))
