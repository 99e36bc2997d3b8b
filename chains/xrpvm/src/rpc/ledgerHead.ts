import type { BlockRef } from '@causeway/core/chain'
import { answerOf } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'

/** Seconds from 1970 to the year 2000, in which times of the ledger begin. */
export const LEDGER_EPOCH = 946_684_800

const hash = Type.String({ pattern: '^[0-9A-F]{64}$' })
const uint32 = Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 })

const headSchema = Type.Object({
  ledger_hash: hash,
  ledger_index: uint32,
  validated: Type.Literal(true),
  ledger: Type.Object({ close_time: uint32 }),
})

const closedSchema = Type.Object({ ledger_hash: hash, ledger_index: uint32, ledger_time: uint32 })

const checkHead = answerOf(headSchema)
const checkClosed = answerOf(closedSchema)

/** Reads the answer of `ledger`, which must be of a validated one. @throws ServiceError RPC_HTTP_ERROR */
export const readHead = (answer: unknown): BlockRef => {
  const { ledger_hash, ledger_index, ledger } = checkHead(answer)
  return { height: BigInt(ledger_index), hash: ledger_hash, time: ledger.close_time + LEDGER_EPOCH }
}

/** Reads what a websocket tells of a ledger that was validated. @throws ServiceError RPC_HTTP_ERROR */
export const readClosed = (message: unknown): BlockRef => {
  const { ledger_hash, ledger_index, ledger_time } = checkClosed(message)
  return { height: BigInt(ledger_index), hash: ledger_hash, time: ledger_time + LEDGER_EPOCH }
}
