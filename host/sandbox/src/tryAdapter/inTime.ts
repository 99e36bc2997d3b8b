import { setTimeout as delay } from 'node:timers/promises'

/** The result of work, or an error once the time is over; the work itself is not ended. @throws Error after the time limit */
export const inTime = <T>(work: Promise<T>, milliseconds: number, late = 'no answer came'): Promise<T> =>
  Promise.race([
    work,
    delay(Math.max(0, milliseconds), undefined, { ref: false }).then(() => {
      throw new Error(late)
    }),
  ])
