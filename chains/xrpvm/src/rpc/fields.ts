import { Type } from '@sinclair/typebox'

/** Fields of a ledger's JSON, as servers write them. */
export const HASH = Type.String({ pattern: '^[0-9A-F]{64}$' })
export const ACCOUNT = Type.String({ pattern: '^r[1-9A-HJ-NP-Za-km-z]{24,34}$' })
export const DROPS = Type.String({ pattern: '^\\d{1,18}$' })
export const UINT32 = Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 })

/** A member of JSON of any shape; undefined where it has none. */
export const memberOf = (json: unknown, name: string): unknown =>
  typeof json === 'object' && json !== null ? Reflect.get(json, name) : undefined
