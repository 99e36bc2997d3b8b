import { BoundedCache, larger, smaller, systemClock } from '@causeway/core'
import { answerOf, type JsonRpcClient } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'

/** About half the time between ledgers: the level of one open ledger is good for the next. */
export const FEE_CACHE_MS = 2000
/** Hundredths of what the open ledger takes that are offered: it may take more once the payment arrives. */
const CUSHION = 125n
const HUNDRED = 100n
/** A payment that shall take the place of another must offer so many hundredths of its fee (rippled's queue). */
const OUTBID = 125n

const drops = Type.String({ pattern: '^\\d{1,18}$' })
const readFee = answerOf(
  Type.Object({
    drops: Type.Object({ base_fee: drops, median_fee: drops, minimum_fee: drops, open_ledger_fee: drops }),
  }),
)

/** What servers ask of a transaction now, in drops. */
export interface FeeLevels {
  /** For a place in their queue. */
  readonly least: bigint
  /** For a place in the ledger that is being made. */
  readonly open: bigint
}

/** Reads the answer of `fee`. @throws ServiceError RPC_HTTP_ERROR for what is none */
export const readFeeLevels = (answer: unknown): FeeLevels => {
  const { drops: level } = readFee(answer)
  const least = larger(BigInt(level.minimum_fee), BigInt(level.base_fee))
  return { least, open: larger(BigInt(level.open_ledger_fee), least) }
}

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

/** What the network charges, asked rarely and shared by all who wait. */
export class FeeSource {
  readonly #rpc: Pick<JsonRpcClient, 'call'>
  readonly #levels = new BoundedCache<FeeLevels>({ clock: systemClock, maxEntries: 1, lifeOf: () => FEE_CACHE_MS })

  constructor(rpc: Pick<JsonRpcClient, 'call'>) {
    this.#rpc = rpc
  }

  /** @throws ServiceError when no node answers */
  levels(): Promise<FeeLevels> {
    return this.#levels.get('now', () => this.#rpc.call('fee', [], readFeeLevels))
  }
}
