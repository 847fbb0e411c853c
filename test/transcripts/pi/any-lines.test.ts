import { testAnyLines } from '../any-lines.ts'

testAnyLines('pi')
