import type { Transaction } from 'bitcoinjs-lib'
import type { Coin } from './coins.js'
import { Refusal } from './refusal.js'

const LOCKTIME_IS_TIME = 500_000_000
const FINAL = 0xffffffff
const DISABLED = 0x80000000
const BY_TIME = 0x00400000
const MASK = 0x0000ffff

/** The block a transaction is to be in: its height and the median time of the eleven before it. */
export interface Moment {
  readonly height: number
  readonly medianTime: number
  /** The median time before the block of a height. */
  medianTimeBefore(height: number): number
}

/** Lock times (BIP113) and relative ones (BIP68). @throws Refusal */
export const checkTimelocks = (tx: Transaction, spent: readonly Coin[], moment: Moment): void => {
  const reached = tx.locktime < LOCKTIME_IS_TIME ? moment.height : moment.medianTime
  const final = tx.locktime < reached || tx.ins.every(({ sequence }) => sequence === FINAL)
  if (!final) throw new Refusal('non-final')
  if (tx.version < 2) return
  for (const [at, { sequence }] of tx.ins.entries()) {
    const coin = spent[at]
    if (coin === undefined || (sequence & DISABLED) !== 0) continue
    const made = coin.height ?? moment.height
    const waited =
      (sequence & BY_TIME) !== 0
        ? moment.medianTime - moment.medianTimeBefore(made) >= (sequence & MASK) * 512
        : moment.height - made >= (sequence & MASK)
    if (!waited) throw new Refusal('non-BIP68-final')
  }
}
