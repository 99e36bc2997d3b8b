import { type Json, ServiceError } from '@causeway/core'
import type { ChainMoney, DepositAddress, Payout } from '@causeway/core/chain'
import { keptAnswers, paymentMemo } from '@causeway/core/chain-kit'
import { MAX_AMOUNT, NATIVE } from '../address/addresses.js'
import type { TransferEntry } from '../lane/transfers.js'
import { PLACEHOLDERS } from '../read/recipients.js'
import { type AccountIds, askAccount, askRelation } from '../rpc/accounts.js'
import type { MirrorPool } from '../rpc/mirrorNode.js'
import { askToken, type TokenState } from '../rpc/tokens.js'
import { PRICES } from './prices.js'
import { amountsToBring, amountsWithin, type TokenAmounts } from './tokenFees.js'

/** A payment of ours without its id, its nodes and its fee. */
export interface PaymentForm {
  /** The account that pays the network fee: the solver. */
  readonly payer: string
  /** The account whose money is paid. */
  readonly from: string
  readonly to: string
  readonly currency: string
  readonly amounts: TokenAmounts
  readonly memo: string
  /** In hundred-millionths of a US cent. */
  readonly price: bigint
  /** The deposit address whose key signs; null for a payment that is no sweep. */
  readonly sweep: DepositAddress | null
}

export interface PaymentFormDeps {
  readonly depository: string
  readonly pool: MirrorPool
  readonly ids: AccountIds
  /** @throws ServiceError UNSUPPORTED_CURRENCY for a token that does not exist, or is an NFT */
  token(id: string): Promise<TokenState>
  /** Whether a transfer associates its recipient with a token, which its payer pays. */
  associates(to: string, currency: string): Promise<boolean>
}

/** A transfer whose custom fees rose meanwhile brings less, which the mirror nodes show; a new association changes only the price. */
const KEPT_MS = 30_000
const MOST_KEPT = 1000

/** Facts that payments depend on, each asked for once within half a minute. */
export const paymentFacts = (deps: Pick<PaymentFormDeps, 'depository' | 'pool' | 'ids'>): PaymentFormDeps => {
  const { pool } = deps
  const known = keptAnswers(KEPT_MS, (id: string) => askToken(pool, id), MOST_KEPT)
  return {
    ...deps,
    token: async (id) => {
      const token = await known(id)
      if (token?.isFungible === true) return token
      throw new ServiceError('UNSUPPORTED_CURRENCY', 'This is no fungible token of Hedera.')
    },
    associates: keptAnswers(
      KEPT_MS,
      async (to: string, currency: string) => {
        if (PLACEHOLDERS.includes(to)) return false
        const [relation, account] = await Promise.all([askRelation(pool, to, currency), askAccount(pool, to)])
        return relation === null && account !== null
      },
      MOST_KEPT,
    ),
  }
}

/**
 * The payment of a payout that is no sweep. A withdrawal takes just its amount from the depository, any other payment brings its amount.
 * @throws ServiceError INVALID_REQUEST, UNSUPPORTED_CURRENCY for a payout that no transfer can be
 */
export const paymentForm = async (payout: Payout, deps: PaymentFormDeps): Promise<PaymentForm> => {
  const { from: payer, to, money, calls, swap, topup = 0n, purpose } = payout
  if (calls.length > 0 || swap !== undefined || topup > 0n || to.tag !== undefined || to.memo !== undefined)
    throw new ServiceError('INVALID_REQUEST', 'A payment on Hedera carries no calls, no swap, no top-up and no tag.')
  const isWithdrawal = purpose === 'withdraw'
  const from = isWithdrawal ? deps.depository : payer
  const plan = { payer, from, to: to.address, memo: paymentMemo(payout), sweep: null }
  return completeForm(plan, { ...money, isWhole: isWithdrawal }, deps)
}

/** The payment of a sweep: all that the address holds, to the depository. */
export const sweepForm = (
  { payer, memo, ...money }: Pick<PaymentForm, 'payer' | 'memo'> & ChainMoney,
  sweep: DepositAddress,
  deps: PaymentFormDeps,
): Promise<PaymentForm> => {
  const plan = { payer, from: sweep.destination.address, to: deps.depository, memo, sweep }
  return completeForm(plan, { ...money, isWhole: true }, deps)
}

/** @param wanted - `isWhole`: the amount leaves the sender; else it arrives */
const completeForm = async (
  plan: Omit<PaymentForm, 'currency' | 'amounts' | 'price'>,
  { currency, amount, isWhole }: ChainMoney & { readonly isWhole: boolean },
  deps: PaymentFormDeps,
): Promise<PaymentForm> => {
  const even = { sent: amount, arrives: amount, taken: amount }
  if (currency === NATIVE) return { ...plan, currency, price: PRICES.transfer, amounts: payableOf(even) }
  const [token, isAssociating] = await Promise.all([deps.token(currency), deps.associates(plan.to, currency)])
  const sender = await senderOf(plan.from, token, deps)
  const amounts = isWhole ? amountsWithin(amount, token, sender) : amountsToBring(amount, token, sender)
  const price = transferPrice(token) + (isAssociating ? PRICES.association : 0n)
  return { ...plan, currency, amounts: payableOf(amounts), price }
}

export const transferPrice = ({ fees }: TokenState): bigint =>
  fees.length > 0 ? PRICES.customFeeTransfer : PRICES.tokenTransfer

const payableOf = (amounts: TokenAmounts): TokenAmounts => {
  if (amounts.sent > 0n && amounts.sent <= MAX_AMOUNT) return amounts
  throw new ServiceError('INVALID_REQUEST', 'Hedera cannot pay this amount in one transfer.')
}

/** Number of the account that sends, which decides who pays custom fees; only looked up for tokens that have some. */
const senderOf = async (from: string, { fees }: TokenState, { pool, ids }: PaymentFormDeps): Promise<string> => {
  const [node] = fees.length === 0 ? [] : pool.ordered()
  return (node === undefined ? null : await ids.at(node, from)) ?? from
}

/** A payment as `PreparedAttempt.transaction` holds it. */
export interface PreparedPayment {
  /** Number of the account that pays the fee. */
  readonly payer: string
  /** Valid start in nanoseconds, and seconds from then on in which it may land. */
  readonly start: string
  readonly duration: string
  readonly maxFee: string
  readonly memo: string
  /** Consensus nodes that may take it: each has bytes of its own, under one id. */
  readonly nodes: readonly string[]
  readonly entries: readonly TransferEntry[]
  readonly sweep: DepositAddress | null
}

// CAST: plain data, all of it JSON; interfaces have no index signature.
export const preparedJson = (payment: PreparedPayment): Json => payment as unknown as Json

// CAST: only preparedJson makes such transactions.
export const readPrepared = (json: Json): PreparedPayment => json as unknown as PreparedPayment
