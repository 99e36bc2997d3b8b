import { larger, smaller } from '@causeway/core'
import { keptAnswers } from '@causeway/core/chain-kit'
import type { FeeLevels } from '../rpc/serverInfo.js'
import { type Asked, askFeeLevels } from '../rpc/xrpNode.js'

/** About half the time between ledgers: the level of one open ledger is good for the next. */
export const FEE_CACHE_MS = 2000
/** Hundredths of what the open ledger takes that are offered: it may take more once the payment arrives. */
const CUSHION = 125n
const HUNDRED = 100n
/** A payment that shall take the place of another must offer so many hundredths of its fee (rippled's queue). */
const OUTBID = 125n

/** The fee to offer, or null where even the least is above `most`: in a crowded hour a payment within it waits in the queue. */
export const feeToOffer = ({ least, open }: FeeLevels, most: bigint): bigint | null =>
  least > most ? null : smaller(cushioned(open), most)

/** The fee of a payment that takes the place of one with `fee`, or null where it would be above `most`. */
export const outbidding = (fee: bigint, { open }: FeeLevels, most: bigint): bigint | null => {
  const raised = larger(roundedUp(fee * OUTBID), fee + 1n)
  return raised > most ? null : smaller(larger(raised, cushioned(open)), most)
}

const cushioned = (fee: bigint): bigint => roundedUp(fee * CUSHION)

const roundedUp = (hundredths: bigint): bigint => (hundredths + HUNDRED - 1n) / HUNDRED

/** Fee levels of the network now. */
export class FeeSource {
  /** @throws ServiceError when no node answers */
  readonly levels: () => Promise<FeeLevels>

  constructor(rpc: Asked) {
    this.levels = keptAnswers(FEE_CACHE_MS, () => askFeeLevels(rpc))
  }
}
