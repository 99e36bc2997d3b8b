import { Type } from '@sinclair/typebox'

/** Fields of the answers of the exchange. */
export const ACCOUNT = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' })
export const HASH = Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' })
export const TOKEN_ID = Type.String({ pattern: '^0x[0-9a-fA-F]{32}$' })
/** Decimal text, perhaps with noise of floating point numbers. */
export const AMOUNT = Type.String({ pattern: '^-?\\d{1,40}(?:\\.\\d{1,40})?$' })
/** Unix milliseconds, or a nonce. */
export const MILLISECONDS = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
export const DEX = Type.String({ maxLength: 32 })
export const SYMBOL = Type.String({ maxLength: 64 })
