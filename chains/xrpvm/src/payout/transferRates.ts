import { keptAnswers } from '@causeway/core/chain-kit'
import { payableAbove } from '../address/amounts.js'
import { parseIssued } from '../address/currencies.js'
import { TRANSFER_RATE_UNIT } from '../rpc/accountState.js'
import { type Asked, askAccount } from '../rpc/xrpNode.js'

/** Issuers change their rate rarely; what they take meanwhile is bounded by the payment's own `SendMax`. */
const RATE_MS = 60_000
const MAX_RATES = 1000

/**
 * Transfer rate of a currency, in `TRANSFER_RATE_UNIT`: the sender spends that many times the amount that arrives. XRP, and an issuer that
 * does not exist, take nothing.
 */
export const askTransferRate = async (asked: Asked, currency: string): Promise<bigint> => {
  const issued = parseIssued(currency)
  if (issued === null) return TRANSFER_RATE_UNIT
  return (await askAccount(asked, issued.issuer))?.transferRate ?? TRANSFER_RATE_UNIT
}

/** Accounts that a transfer goes from and to. */
export interface Transfer {
  readonly from: string
  readonly to: string
  readonly currency: string
  readonly amount: bigint
}

/**
 * Least that a transfer takes of its payer, so that the whole amount arrives, at an issuer's rate. An issuer takes nothing of its own
 * payments, nor of what it gets back.
 */
export const takenOf = ({ from, to, currency, amount }: Transfer, rate: bigint): bigint => {
  const issuer = parseIssued(currency)?.issuer
  if (issuer === undefined || issuer === from || issuer === to) return amount
  return (amount * rate + TRANSFER_RATE_UNIT - 1n) / TRANSFER_RATE_UNIT
}

/** Most that a payment names as spent (`SendMax`) so that the whole amount arrives. */
export const spentFor = (transfer: Transfer, rate: bigint): bigint => {
  const taken = takenOf(transfer, rate)
  return taken === transfer.amount ? taken : payableAbove(transfer.currency, taken)
}

/** Transfer rates of issuers, in `TRANSFER_RATE_UNIT`. */
export class TransferRates {
  /** @throws ServiceError when no node answers */
  readonly rate: (currency: string) => Promise<bigint>

  constructor(rpc: Asked) {
    this.rate = keptAnswers(RATE_MS, (currency) => askTransferRate(rpc, currency), MAX_RATES)
  }

  /** The issuer's part of a transfer, which its payer spends beyond the amount. */
  async feeOf(transfer: Transfer): Promise<bigint> {
    return takenOf(transfer, await this.rate(transfer.currency)) - transfer.amount
  }
}
