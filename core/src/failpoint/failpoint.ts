/**
 * Named places before and after every commit and broadcast of the money path. Inert unless a handler is set or one of them is
 * armed, so that a test can show what a crash at that very place leaves behind.
 */
type FailpointHandler = (name: string, chainId?: number) => void | Promise<void>

let handler: FailpointHandler | null = null

/** Installs a handler for tests in process; null removes it. */
export const setFailpointHandler = (next: FailpointHandler | null): void => {
  handler = next
}

const never = new Promise<never>(() => undefined)

/**
 * Lets this process kill itself at a place: `name`; `name@n` for its n-th pass; `name*n` once n chains have come there, each of which waits
 * for the others. Takes the place of a handler. A host arms what the variable CAUSEWAY_FAILPOINT says.
 */
export const armFailpoint = (place: string): void => {
  const [, target, kind, count = '1'] = /^([^@*]*)(?:([@*])(\d+))?$/.exec(place) ?? []
  const passes: (number | undefined)[] = []
  setFailpointHandler((name, chainId) => {
    if (name !== target) return
    passes.push(chainId)
    const came = kind === '*' ? new Set(passes).size : passes.length
    if (came === Number(count)) process.kill(process.pid, 'SIGKILL')
    if (kind === '*') return never
  })
}

/** Marks a place, on the way to a payment on `chainId`. Costs a comparison when nothing is set. */
export const failpoint = async (name: string, chainId?: number): Promise<void> => {
  if (handler !== null) await handler(name, chainId)
}

/** Every failpoint of the money path; tests walk the list, so a new place is added here. */
export const FAILPOINTS = [
  'deposit.commit.before',
  'deposit.commit.after',
  'arrivals.commit.before',
  'arrivals.commit.after',
  'decide.commit.before',
  'decide.commit.after',
  'fast-fill.accept.before',
  'fast-fill.accept.after',
  'fast-fill.decide.before',
  'fast-fill.decide.after',
  'fast-fill.settle.before',
  'fast-fill.settle.after',
  'fast-fill.debit.before',
  'fast-fill.debit.after',
  'credit.before',
  'credit.after',
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
  'sweep.store.before',
  'sweep.store.after',
  'sweep.broadcast.after',
  'sweep.submitted.before',
  'sweep.submitted.after',
  'sweep.included.before',
  'sweep.included.after',
  'sweep.final.before',
  'sweep.final.after',
  'origin.accept.before',
  'origin.accept.after',
  'origin.store.before',
  'origin.store.after',
  'origin.broadcast.after',
  'origin.submitted.before',
  'origin.submitted.after',
  'origin.included.before',
  'origin.included.after',
  'origin.final.before',
  'origin.final.after',
  'withdraw.store.before',
  'withdraw.store.after',
  'withdraw.broadcast.after',
  'withdraw.submitted.before',
  'withdraw.submitted.after',
  'withdraw.included.before',
  'withdraw.included.after',
  'withdraw.final.before',
  'withdraw.final.after',
  'claim.sign.before',
  'claim.sign.after',
  'claim.store.before',
  'claim.store.after',
  'claim.broadcast.after',
  'claim.submitted.before',
  'claim.submitted.after',
  'claim.included.before',
  'claim.included.after',
  'claim.final.before',
  'claim.final.after',
] as const

export type Failpoint = (typeof FAILPOINTS)[number]
