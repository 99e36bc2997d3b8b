import type { Hex } from '@causeway/core'

const RETURN = 0x6a
const PUSH_1 = 0x4c
/** A push of up to this many bytes is one opcode: its length. */
const SHORT_PUSH = 75
const ORDER_ID = /^0x[0-9a-fA-F]{64}/
const DEPOSITOR = /\|depositor=([^|]{1,128})(?=\|)/g

/**
 * Output script that carries an order id: OP_RETURN with the text of the id, 66 letters in lower case, by the shortest push
 * (chains.md bvm 3, 5 and 10). Readers of a fill compare the whole text.
 */
export const orderScript = (orderId: Hex): Uint8Array => {
  const text = Buffer.from(orderId.toLowerCase(), 'utf8')
  return Uint8Array.from([RETURN, text.length, ...text])
}

/**
 * The same for a deposit that somebody else makes: behind the id, the address it is credited to (chains.md, What commits a
 * deposit to an order 3). Above 80 bytes, which older nodes do not pass on (bvm 10).
 */
export const creditedOrderScript = (orderId: Hex, depositor: string): Uint8Array => {
  const text = Buffer.from(`${orderId.toLowerCase()}|depositor=${depositor}|`, 'utf8')
  return Uint8Array.from([RETURN, PUSH_1, text.length, ...text])
}

/**
 * Order id of a deposit's output; null when the script is no OP_RETURN, or its text does not begin with an id. Ids are compared
 * as written, so one in capitals is none of ours (chains.md, What commits a deposit to an order 2).
 */
export const readOrderId = (script: Uint8Array): Hex | null => {
  const [found = null] = ORDER_ID.exec(returnedText(script) ?? '') ?? []
  // CAST: the expression begins with 0x and has hex digits only.
  return found as Hex | null
}

/**
 * Texts between `|depositor=` and a closing bar, unchecked and in order, wherever they stand: with an order id, a broken one, or none
 * (chains.md, What commits a deposit to an order 3).
 */
export const readDepositors = (script: Uint8Array): readonly string[] =>
  [...(returnedText(script) ?? '').matchAll(DEPOSITOR)].map(([, named = '']) => named)

/** Text of an OP_RETURN with one push of at most 255 bytes, null for any other script. */
const returnedText = (script: Uint8Array): string | null => {
  const [opcode, push, length] = script
  if (opcode !== RETURN || push === undefined) return null
  const start = push === PUSH_1 ? 3 : 2
  const size = push === PUSH_1 ? length : push <= SHORT_PUSH ? push : undefined
  if (size === undefined || script.length !== start + size) return null
  return Buffer.from(script.subarray(start)).toString('utf8')
}
