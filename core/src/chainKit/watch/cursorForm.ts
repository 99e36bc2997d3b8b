import { type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Json } from '../../chain/json.js'

/** A whole number in a stored cursor: decimal text. */
export const storedNumber = Type.Transform(Type.String({ pattern: '^-?[0-9]{1,40}$' }))
  .Decode((text) => BigInt(text))
  .Encode((number) => number.toString())

/** Entries of a map in a stored cursor: an array of its values. */
export const storedMap = <Schema extends TSchema, Entry>(entry: Schema, keyOf: (entry: Entry) => string) =>
  Type.Transform(Type.Array(entry))
    // CAST: the schema describes the entries.
    .Decode((entries): ReadonlyMap<string, Entry> => new Map((entries as Entry[]).map((each) => [keyOf(each), each])))
    .Encode((map) => [...map.values()] as never)

/** How a watcher stores its cursor. */
export interface CursorForm<Cursor> {
  readonly encode: (cursor: Cursor) => Json
  /** @throws Error for a cursor of another watcher: a programming error, not one of the chain */
  readonly decode: (stored: Json) => Cursor
}

/** The form that a schema describes, whose transformations are applied both ways. */
export const cursorForm = <Cursor>(schema: TSchema): CursorForm<Cursor> => ({
  encode: (cursor) => Value.Encode(schema, cursor) as Json,
  decode: (stored) => {
    try {
      // CAST: the schema describes the cursor.
      return Value.Decode(schema, stored) as Cursor
    } catch (cause) {
      throw new Error('The stored cursor of this chain cannot be read.', { cause })
    }
  },
})
