/** Loaded before a writer: its `Date` jumps by days every now and then. */
import { Random } from '../core/random.ts'

const DAY_MS = 86_400_000
const FURTHEST_DAYS = 5
const EVERY_MS = 150

const random = new Random(Number(process.env['SOAK_CLOCK_SEED']))
let offset = 0
const jump = () => {
  offset = Math.round((random.next() * 2 - 1) * FURTHEST_DAYS * DAY_MS)
}
jump()
setInterval(jump, EVERY_MS).unref()

const True = Date
const now = () => True.now() + offset

globalThis.Date = new Proxy(True, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new True(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
