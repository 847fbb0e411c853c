import { testAnyLines } from '../any-lines.ts'

testAnyLines('codex')
