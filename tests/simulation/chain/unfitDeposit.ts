import type { Hex } from '@causeway/core'
import type { ChainMoney } from '@causeway/core/chain'
import type { Random } from '../kernel/random.js'
import type { SimLedger } from './simLedger.js'
import type { UserPayment } from './simUser.js'

/** Ways of paying for an order otherwise than it asks for. */
export const UNFIT_DEPOSITS = [
  'other-currency',
  'strange-currency',
  'less',
  'more',
  'no-memo',
  'garbage-memo',
  'unknown-order',
  'to-solver',
  'dust',
] as const

export type UnfitDeposit = (typeof UNFIT_DEPOSITS)[number]

/** The payment that a user makes instead of the one that an order asks for. */
export const unfitDeposit = (
  kind: UnfitDeposit,
  { money, orderId }: { readonly money: ChainMoney; readonly orderId: Hex },
  ledger: SimLedger,
  random: Random,
): UserPayment => {
  const { currency, amount } = money
  switch (kind) {
    case 'other-currency':
      return { money: { currency: currency === ledger.coin ? ledger.token : ledger.coin, amount }, memo: orderId }
    case 'strange-currency':
      return { money: { currency: ledger.strangeToken, amount }, memo: orderId }
    case 'less':
      return { money: { currency, amount: atLeastOne((amount * BigInt(random.int(1, 999))) / 1000n) }, memo: orderId }
    case 'more':
      return {
        money: { currency, amount: amount + (amount * BigInt(random.int(1, 2000))) / 1000n + 1n },
        memo: orderId,
      }
    case 'no-memo':
      return { money, memo: '' }
    case 'garbage-memo':
      return {
        money,
        memo: random.pick([`order ${orderId}`, orderId.slice(0, -1), orderId.toUpperCase(), '\u0000', 'hello']),
      }
    case 'unknown-order':
      return { money, memo: hexOf(random) }
    case 'to-solver':
      return { money, memo: orderId, to: ledger.keys.payer.address }
    case 'dust':
      return { money: { currency, amount: BigInt(random.int(1, 9)) }, memo: orderId }
  }
}

const atLeastOne = (amount: bigint): bigint => (amount < 1n ? 1n : amount)

const hexOf = (random: Random): string =>
  `0x${Array.from({ length: 64 }, () => random.int(0, 15).toString(16)).join('')}`
