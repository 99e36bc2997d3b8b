import { answerOf, strangeAnswer } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { DROPS_DECIMALS, parseIssuedValue } from '../address/amounts.js'
import { ISSUED_DECIMALS } from '../address/issuedValue.js'
import { type LedgerRanges, parseRanges } from './ledgerRanges.js'

const height = Type.Integer({ minimum: 1, maximum: 2 ** 32 - 1 })

const schema = Type.Object({
  info: Type.Object({
    complete_ledgers: Type.String(),
    load_factor: Type.Optional(Type.Number({ minimum: 0 })),
    network_id: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 })),
    validated_ledger: Type.Optional(
      Type.Object({
        seq: height,
        hash: Type.String({ pattern: '^[0-9A-F]{64}$' }),
        base_fee_xrp: Type.Number({ minimum: 0 }),
        reserve_base_xrp: Type.Number({ minimum: 0 }),
        reserve_inc_xrp: Type.Number({ minimum: 0 }),
      }),
    ),
  }),
})

/** What accounts must keep, in drops. */
export interface Reserves {
  readonly base: bigint
  /** For each object that an account owns. */
  readonly increment: bigint
}

/** What a server says of itself. */
export interface ServerInfo {
  /** 0 where it names none, as servers of the main network do. */
  readonly networkId: number
  readonly complete: LedgerRanges
  /** By how much its fees are above the least, 1 in quiet times. */
  readonly loadFactor: number
  /** Null while it has not caught up with its network. */
  readonly validated: {
    readonly height: bigint
    readonly hash: string
    /** Least fee of a transaction, in drops. */
    readonly baseFee: bigint
    readonly reserves: Reserves
  } | null
}

const check = answerOf(schema)

/** Drops of a number of XRP that a server writes as a JSON number, by its digits alone. */
const dropsOf = (xrp: number): bigint => {
  const amount = parseIssuedValue(String(xrp))
  if (amount === null) throw strangeAnswer('an amount of XRP')
  return amount / 10n ** BigInt(ISSUED_DECIMALS - DROPS_DECIMALS)
}

/** Reads the answer of `server_info`. @throws ServiceError RPC_HTTP_ERROR for what is none */
export const readServerInfo = (answer: unknown): ServerInfo => {
  const { complete_ledgers, load_factor = 1, network_id = 0, validated_ledger: ledger } = check(answer).info
  const complete = parseRanges(complete_ledgers)
  if (complete === null) throw strangeAnswer('complete_ledgers')
  const validated =
    ledger === undefined
      ? null
      : {
          height: BigInt(ledger.seq),
          hash: ledger.hash,
          baseFee: dropsOf(ledger.base_fee_xrp),
          reserves: { base: dropsOf(ledger.reserve_base_xrp), increment: dropsOf(ledger.reserve_inc_xrp) },
        }
  return { networkId: network_id, complete, loadFactor: load_factor, validated }
}
