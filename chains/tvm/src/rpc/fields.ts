import { Type } from '@sinclair/typebox'

/** A whole number, whose JSON is read as text. */
export const COUNT = Type.String({ pattern: '^\\d{1,20}$' })
export const WHOLE = Type.String({ pattern: '^-?\\d{1,20}$' })
export const HASH = Type.String({ pattern: '^[0-9a-f]{64}$' })
export const HEX = Type.String({ pattern: '^[0-9a-fA-F]*$' })
export const ADDRESS = Type.String({ pattern: '^(?:41)?[0-9a-fA-F]{40}$' })
