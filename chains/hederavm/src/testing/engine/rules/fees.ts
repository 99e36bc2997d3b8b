import type { proto } from '@hiero-ledger/proto'
import { CENT, KINDS, type Kind } from '../kinds.js'
import { type State, tokenIn } from '../state/entries.js'
import { idText } from '../values.js'

/** Price of an account, or of an association, that a transfer makes. */
export const MADE_BY_TRANSFER = 5n * CENT
/** Price of a paid query. */
export const QUERY = CENT / 100n

/** HBAR of so many cents. */
export interface ExchangeRate {
  readonly hbar: number
  readonly cents: number
}

/** Tinybars of a price. */
export const tinybarsOf = (price: bigint, { hbar, cents }: ExchangeRate): bigint =>
  (price * BigInt(hbar)) / BigInt(cents)

/** Price of a transaction: of tokens, and of tokens with custom fees, it is a multiple. */
export const priceOf = (kind: Kind, body: proto.ITransactionBody, state: State): bigint => {
  const [, price] = KINDS[kind]
  if (kind === 'tokenAssociate') return price * BigInt(body.tokenAssociate?.tokens?.length || 1)
  if (kind === 'tokenCreation') return body.tokenCreation?.customFees?.length ? 2n * price : price
  const lists = body.cryptoTransfer?.tokenTransfers ?? []
  if (kind !== 'cryptoTransfer' || lists.length === 0) return price
  const hasFees = lists.some(({ token }) => tokenIn(state, idText(token?.tokenNum))?.fees.length)
  return price * (hasFees ? 20n : 10n)
}

/** Accounts that share a fee, in percent; the node has the rest. */
const SHARES = [
  ['0.0.98', 75n],
  ['0.0.800', 10n],
  ['0.0.801', 10n],
] as const

/** Credits of a fee. */
export const feeCredits = (fee: bigint, node: string): readonly (readonly [account: string, amount: bigint])[] => {
  const shared = SHARES.map(([account, percent]) => [account, (fee * percent) / 100n] as const)
  const rest = shared.reduce((left, [, amount]) => left - amount, fee)
  return [[node, rest], ...shared]
}
