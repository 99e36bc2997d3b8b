import type { BlockRef } from '@causeway/core/chain'
import { answerOf } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { HASH, UINT32 } from './fields.js'

/** Seconds from 1970 to the year 2000, in which times of the ledger begin. */
export const LEDGER_EPOCH = 946_684_800

const checkHead = answerOf(
  Type.Object({
    ledger_hash: HASH,
    ledger_index: UINT32,
    validated: Type.Literal(true),
    ledger: Type.Object({ close_time: UINT32 }),
  }),
)
const checkClosed = answerOf(Type.Object({ ledger_hash: HASH, ledger_index: UINT32, ledger_time: UINT32 }))

const headOf = (index: number, hash: string, time: number): BlockRef => ({
  height: BigInt(index),
  hash,
  time: time + LEDGER_EPOCH,
})

/** Reads the answer of `ledger`, which must be of a validated one. @throws ServiceError RPC_HTTP_ERROR */
export const readHead = (answer: unknown): BlockRef => {
  const { ledger_hash, ledger_index, ledger } = checkHead(answer)
  return headOf(ledger_index, ledger_hash, ledger.close_time)
}

/** Reads a websocket's message of a ledger that was validated. @throws ServiceError RPC_HTTP_ERROR */
export const readClosed = (message: unknown): BlockRef => {
  const { ledger_hash, ledger_index, ledger_time } = checkClosed(message)
  return headOf(ledger_index, ledger_hash, ledger_time)
}
