import { type Json, ServiceError } from '@causeway/core'
import type { ChainMoney, DepositAddress, Payout } from '@causeway/core/chain'
import { addressWord, TRC20, wordOf } from '../address/abi.js'
import { MAX_AMOUNT, MAX_SUN, NATIVE } from '../address/addresses.js'
import { markOf } from '../lane/marks.js'
import { runCall, type Trial } from '../rpc/contracts.js'
import type { TronNode, TronPool } from '../rpc/tronNode.js'
import { executeData, termsOf } from './withdrawal.js'

/** A payment of ours before it has a time and a reference block. */
export interface PaymentForm {
  /** The account that signs: the solver, or the deposit address of a sweep. */
  readonly owner: string
  /** Recipient of TRX, or the contract that is called. */
  readonly to: string
  /** Sun. */
  readonly value: bigint
  /** Calldata in hex; empty for a transfer of TRX. */
  readonly data: string
  /** Memo in hex; empty for a call. */
  readonly memo: string
  /** The deposit address that signs; null for a payment that is no sweep. */
  readonly sweep: DepositAddress | null
}

export interface PaymentFormDeps {
  readonly depository: string
  readonly pool: TronPool
}

/**
 * The payment of a payout that is no sweep.
 * @throws ServiceError INVALID_REQUEST for a payout that no transaction of this chain can be
 */
export const paymentForm = (payout: Payout, deps: Pick<PaymentFormDeps, 'depository'>): PaymentForm => {
  const { from: owner, to, money, calls, swap, topup = 0n, purpose } = payout
  const isPlain =
    calls.length === 0 && swap === undefined && topup === 0n && to.tag === undefined && to.memo === undefined
  if (!isPlain || purpose === 'approve' || purpose === 'origin')
    throw new ServiceError('INVALID_REQUEST', 'A payment on Tron carries no calls, no swap, no top-up and no tag.')
  requirePayable(money)
  const mark = markOf(payout)
  const common = { owner, value: 0n, memo: '', sweep: null }
  if (purpose === 'withdraw')
    return { ...common, to: deps.depository, data: executeData(termsOf(payout), deps.depository) + mark }
  if (to.address === owner) throw new ServiceError('INVALID_REQUEST', 'An account of Tron cannot pay itself.')
  if (money.currency === NATIVE) return { ...common, to: to.address, value: money.amount, data: '', memo: mark }
  return { ...common, to: money.currency, data: transferData(to.address, money.amount) + mark }
}

export const transferData = (to: string, amount: bigint): string => TRC20.transfer + addressWord(to) + wordOf(amount)

const requirePayable = ({ currency, amount }: ChainMoney): void => {
  if (amount > 0n && amount <= (currency === NATIVE ? MAX_SUN : MAX_AMOUNT)) return
  throw new ServiceError('INVALID_REQUEST', 'Tron cannot pay this amount in one transaction.')
}

/** Runs the call of a payment; null for a transfer of TRX, which runs no contract. */
export const tryForm = async (
  node: TronNode | TronPool,
  { owner, to, data, value }: PaymentForm,
): Promise<Trial | null> => (data === '' ? null : runCall(node, { owner, to, data, value }))

/** A payment as `PreparedAttempt.transaction` holds it; addresses are canonical, amounts decimal text. */
export interface PreparedPayment {
  readonly owner: string
  readonly to: string
  readonly value: string
  readonly data: string
  readonly memo: string
  readonly feeLimit: string
  /** Unix milliseconds. The time makes the bytes of equal payments differ. */
  readonly timestamp: string
  readonly expiration: string
  readonly refBlockBytes: string
  readonly refBlockHash: string
  /** TRX that the solver sends to the deposit address before its sweep. */
  readonly funding: { readonly from: string; readonly amount: string; readonly address: DepositAddress } | null
}

// CAST: plain data, all of it JSON; interfaces have no index signature.
export const preparedJson = (payment: PreparedPayment): Json => payment as unknown as Json

// CAST: only preparedJson makes such transactions.
export const readPrepared = (json: Json): PreparedPayment => json as unknown as PreparedPayment
