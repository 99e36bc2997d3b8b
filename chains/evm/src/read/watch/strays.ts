import type { Hex } from '@causeway/core'

/** One deposit as the logs of its transaction tell it. */
export interface Found {
  readonly index: number
  readonly orderId: Hex | null
  readonly depositor: string
  /** Whose tokens moved; null for native currency, of which the logs only show who was named, and for those of several. */
  readonly owner: string | null
  readonly currency: string
  readonly amount: bigint
}

/** Deposits of one currency without an order id that one transaction makes singly. */
export const SINGLE_STRAYS = 20
/** What an amount of a token can be at most. */
const MAX_AMOUNT = 2n ** 256n - 1n

/**
 * Deposits without an order id are parked whatever their number, and a worthless token logs ten thousand for the price of a block's
 * gas: of one currency in one transaction the first twenty stay as they are, all others are one deposit of their sum, credited to
 * `sender` where they are of several depositors (faults.md F132, chains.md evm 4). What carries an order id is never touched. Depends
 * on the transaction alone, so that every look at it finds the same deposits at the same positions.
 */
export const foldStrays = (found: readonly Found[], sender: string): readonly Found[] => {
  const kept: Found[] = []
  const counts = new Map<string, number>()
  /** The deposit that stands for the rest, by currency. */
  const rest = new Map<string, Rest>()
  for (const deposit of found) {
    const { currency, orderId } = deposit
    if (orderId !== null) {
      kept.push(deposit)
      continue
    }
    const count = counts.get(currency) ?? 0
    counts.set(currency, count + 1)
    const sum = rest.get(currency)
    if (sum !== undefined) add(sum, deposit, sender)
    else kept.push(deposit)
    if (count === SINGLE_STRAYS) rest.set(currency, { at: kept.length - 1, ...deposit })
  }
  for (const { at, ...sum } of rest.values()) kept[at] = sum
  return kept
}

/** Place among what is kept, and what stands there in the end: added up where it lies, for there may be thousands. */
type Rest = { -readonly [Name in keyof Found]: Found[Name] } & { readonly at: number }

/** No honest token has more than fits one amount; one that says so is held at that, since nothing larger can be stored. */
const add = (sum: Rest, { amount, depositor, owner }: Found, sender: string): void => {
  const whole = sum.amount + amount
  sum.amount = whole > MAX_AMOUNT ? MAX_AMOUNT : whole
  if (depositor !== sum.depositor) sum.depositor = sender
  if (owner !== sum.owner) sum.owner = null
}
