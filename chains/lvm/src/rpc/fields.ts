import { Type } from '@sinclair/typebox'

/** Fields of answers, whose numbers are read as text (`parseExactJson`). */
export const COUNT = Type.String({ pattern: '^\\d{1,19}$' })
export const WHOLE = Type.String({ pattern: '^-?\\d{1,19}$' })
/** A decimal amount in whole units. */
export const DECIMAL = Type.String({ pattern: '^-?\\d{1,30}(\\.\\d{1,30})?$' })
export const TX_HASH = Type.String({ pattern: '^(?:0x)?(?:[0-9a-fA-F]{2}){16,64}$' })
