import { BoundedCache, systemClock } from '@causeway/core'
import type { JsonRpcClient } from '@causeway/core/chain-kit'
import { parseIssued } from '../address/currencies.js'
import { TRANSFER_RATE_UNIT } from '../rpc/accountState.js'
import { askTransferRate } from './transferRate.js'

/** Issuers change their rate rarely; what they take meanwhile is bounded by the payment's own `SendMax`. */
const RATE_MS = 60_000
const MAX_RATES = 1000

/** Whom a transfer goes from and to. */
export interface Transfer {
  readonly from: string
  readonly to: string
  readonly currency: string
  readonly amount: bigint
}

/**
 * Least that a transfer takes of who pays it, so that the whole amount arrives, at an issuer's rate. Nothing is taken of what issuers pay
 * out or get back.
 */
export const takenOf = ({ from, to, currency, amount }: Transfer, rate: bigint): bigint => {
  const issuer = parseIssued(currency)?.issuer
  if (issuer === undefined || issuer === from || issuer === to) return amount
  return (amount * rate + TRANSFER_RATE_UNIT - 1n) / TRANSFER_RATE_UNIT
}

/** What issuers take of transfers, in `TRANSFER_RATE_UNIT`. */
export class TransferRates {
  readonly #rpc: Pick<JsonRpcClient, 'batch'>
  readonly #rates = new BoundedCache<bigint>({ clock: systemClock, maxEntries: MAX_RATES, lifeOf: () => RATE_MS })

  constructor(rpc: Pick<JsonRpcClient, 'batch'>) {
    this.#rpc = rpc
  }

  /** Of XRP, and of an issuer that does not exist, nothing is taken. @throws ServiceError when no node answers */
  async rate(currency: string): Promise<bigint> {
    const issuer = parseIssued(currency)?.issuer
    if (issuer === undefined) return TRANSFER_RATE_UNIT
    return this.#rates.get(issuer, () => askTransferRate(this.#rpc, currency))
  }

  /** What a currency takes of who pays, beyond the amount. */
  async feeOf(transfer: Transfer): Promise<bigint> {
    return takenOf(transfer, await this.rate(transfer.currency)) - transfer.amount
  }
}
