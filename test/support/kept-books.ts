import type { CallCost, PaidCalls, PlannedCall } from '../../src/services/paid-calls.ts'

export interface BookedCall extends PlannedCall {
  /** What it has cost in the end; null where it was refused, undefined while it is under way. */
  settled?: CallCost | null
}

/** Books that take down every call, without any limit. */
export function keptBooks(): { calls: PaidCalls; books: BookedCall[] } {
  const books: BookedCall[] = []
  return {
    books,
    calls: {
      async begin(plan) {
        const booked: BookedCall = { ...plan }
        books.push(booked)
        return {
          async settle(cost) {
            booked.settled = cost ?? null
          },
        }
      },
    },
  }
}
