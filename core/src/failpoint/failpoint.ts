/**
 * Named places before and after every commit and broadcast of the money path. Inert unless a handler is set or
 * `CAUSEWAY_FAILPOINT` names one (`name` or `name@n` for its n-th pass): then the process kills itself there, so that a test
 * can show what a crash at that very place leaves behind.
 */
type FailpointHandler = (name: string) => void | Promise<void>

let handler: FailpointHandler | null = null
const [target, nth] = (process.env.CAUSEWAY_FAILPOINT ?? '').split('@')
let passes = 0

/** Installs a handler for tests in process; null removes it. */
export const setFailpointHandler = (next: FailpointHandler | null): void => {
  handler = next
}

/** Marks a place. Costs a comparison when nothing is set. */
export const failpoint = async (name: string): Promise<void> => {
  if (handler !== null) await handler(name)
  if (target !== '' && target === name) {
    passes += 1
    if (passes === Number(nth ?? 1)) process.kill(process.pid, 'SIGKILL')
  }
}

/** Every failpoint of the money path; tests walk the list, so a new place is added here. */
export const FAILPOINTS = [
  'deposit.commit.before',
  'deposit.commit.after',
  'decide.commit.before',
  'decide.commit.after',
  'fill.store.before',
  'fill.store.after',
  'fill.broadcast.after',
  'fill.submitted.before',
  'fill.submitted.after',
  'fill.included.before',
  'fill.included.after',
  'fill.final.before',
  'fill.final.after',
  'refund.store.before',
  'refund.store.after',
  'refund.broadcast.after',
  'refund.submitted.before',
  'refund.submitted.after',
  'refund.included.before',
  'refund.included.after',
  'refund.final.before',
  'refund.final.after',
  'excess.store.before',
  'excess.store.after',
  'excess.broadcast.after',
  'excess.submitted.before',
  'excess.submitted.after',
  'excess.included.before',
  'excess.included.after',
  'excess.final.before',
  'excess.final.after',
  'withdraw.store.before',
  'withdraw.store.after',
  'withdraw.broadcast.after',
  'withdraw.submitted.before',
  'withdraw.submitted.after',
  'withdraw.included.before',
  'withdraw.included.after',
  'withdraw.final.before',
  'withdraw.final.after',
] as const

export type Failpoint = (typeof FAILPOINTS)[number]
