import type { Hex } from '@causeway/core'
import type { Slice } from '@ton/core'

const COMMENT_OP = 0
const OP_BITS = 32
const ORDER_ID = /^0x[0-9a-f]{64}/i
const DEPOSITOR = /\|depositor=([^|]{1,128})(?=\|)/g

/** Content of a message's body. */
export type BodyText =
  /** Null: the body is empty, or its text cannot be read. */
  | { readonly kind: 'text'; readonly text: string | null }
  /** The body calls an operation, so the message is no plain payment. */
  | { readonly kind: 'operation'; readonly op: number }

/** Reads the body of a message, or the forward payload of jettons. */
export const readBody = (body: Slice): BodyText => {
  if (body.remainingBits < OP_BITS) return { kind: 'text', text: null }
  const op = body.loadUint(OP_BITS)
  if (op !== COMMENT_OP) return { kind: 'operation', op }
  try {
    return { kind: 'text', text: body.loadStringTail() }
  } catch {
    return { kind: 'text', text: null }
  }
}

/** The order that a comment names at its beginning, in lower case, as the public attestation service reads it; null for another text. */
export const orderIdIn = (text: string | null): Hex | null => {
  const [found = null] = ORDER_ID.exec(text ?? '') ?? []
  // CAST: the expression begins with 0x and has hex digits only.
  return (found?.toLowerCase() ?? null) as Hex | null
}

/** Texts between `|depositor=` and a closing bar, unchecked and in order (chains.md, What commits a deposit to an order 3). */
export const depositorsIn = (text: string | null): readonly string[] =>
  [...(text ?? '').matchAll(DEPOSITOR)].map(([, named = '']) => named)
