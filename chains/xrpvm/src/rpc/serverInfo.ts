import { larger } from '@causeway/core'
import { answerOf, strangeAnswer } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { DROPS_DECIMALS, parseIssuedValue } from '../address/amounts.js'
import { ISSUED_DECIMALS } from '../address/issuedValue.js'
import { DROPS, HASH, UINT32 } from './fields.js'
import { parseRanges } from './ledgerRanges.js'

const xrp = Type.Number({ minimum: 0 })

const check = answerOf(
  Type.Object({
    info: Type.Object({
      complete_ledgers: Type.String(),
      load_factor: Type.Optional(xrp),
      network_id: Type.Optional(UINT32),
      validated_ledger: Type.Optional(
        Type.Object({ seq: UINT32, hash: HASH, base_fee_xrp: xrp, reserve_base_xrp: xrp, reserve_inc_xrp: xrp }),
      ),
    }),
  }),
)

/** Drops of a number of XRP that a server writes as a JSON number, by its digits alone. */
const dropsOf = (xrp: number): bigint => {
  const amount = parseIssuedValue(String(xrp))
  if (amount === null) throw strangeAnswer('an amount of XRP')
  return amount / 10n ** BigInt(ISSUED_DECIMALS - DROPS_DECIMALS)
}

export type ServerInfo = ReturnType<typeof readServerInfo>

/** Drops that accounts must keep: all of them, and for each object that they own. */
export interface Reserves {
  readonly base: bigint
  readonly increment: bigint
}

/** Reads the answer of `server_info`. @throws ServiceError RPC_HTTP_ERROR for another shape */
export const readServerInfo = (answer: unknown) => {
  const { complete_ledgers, load_factor = 1, network_id = 0, validated_ledger: ledger } = check(answer).info
  const complete = parseRanges(complete_ledgers)
  if (complete === null) throw strangeAnswer('complete_ledgers')
  const reserves = (of: NonNullable<typeof ledger>): Reserves => ({
    base: dropsOf(of.reserve_base_xrp),
    increment: dropsOf(of.reserve_inc_xrp),
  })
  return {
    /** 0 where it names none, as servers of the main network do. */
    networkId: network_id,
    complete,
    /** By how much its fees are above the least, 1 in quiet times. */
    loadFactor: load_factor,
    /** Null while it has not caught up with its network. `baseFee`: least fee of a transaction, in drops. */
    validated: ledger
      ? {
          ...{ height: BigInt(ledger.seq), hash: ledger.hash },
          ...{ baseFee: dropsOf(ledger.base_fee_xrp), reserves: reserves(ledger) },
        }
      : null,
  }
}

const readFee = answerOf(
  Type.Object({ drops: Type.Object({ base_fee: DROPS, minimum_fee: DROPS, open_ledger_fee: DROPS }) }),
)

/** Drops that servers ask of a transaction now: for a place in their queue, and in the ledger that is being made. */
export interface FeeLevels {
  readonly least: bigint
  readonly open: bigint
}

/** Reads the answer of `fee`. @throws ServiceError RPC_HTTP_ERROR for another shape */
export const readFeeLevels = (answer: unknown): FeeLevels => {
  const { base_fee, minimum_fee, open_ledger_fee } = readFee(answer).drops
  const least = larger(BigInt(minimum_fee), BigInt(base_fee))
  return { least, open: larger(BigInt(open_ledger_fee), least) }
}
