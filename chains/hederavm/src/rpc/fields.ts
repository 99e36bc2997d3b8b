import { Type } from '@sinclair/typebox'

/** Fields of the answers of mirror nodes, whose numbers are read as text (`parseExactJson`). */
export const ENTITY = Type.String({ pattern: '^0\\.0\\.\\d{1,19}$' })
export const TIME = Type.String({ pattern: '^\\d{1,12}\\.\\d{9}$' })
/** A whole number of 64 bits. */
export const WHOLE = Type.String({ pattern: '^-?\\d{1,19}$' })
export const COUNT = Type.String({ pattern: '^\\d{1,18}$' })
export const HASH = Type.String({ pattern: '^0x[0-9a-f]{64,128}$' })
export const EVM_ADDRESS = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' })
export const LINKS = Type.Object({ next: Type.Union([Type.String(), Type.Null()]) })
