import type { Hex } from '@causeway/core'
import { type Migration, type QuotePart, toBytea } from '@causeway/core/plugin'
import type { Pool } from 'pg'

/** Tables of this plugin. A released migration never changes; add one instead. */
export const migrations: readonly Migration[] = [
  {
    name: '0001_notes',
    up: `
create table example_notes (
  request_id bytea primary key check (length(request_id) = 32),
  author text not null,
  note text not null,
  signature bytea
);
`,
  },
]

export interface StoredNote {
  readonly note: string
  readonly author: string
  readonly signed: boolean
}

/** Written with the quote, or not at all. */
export const insertNote = (requestId: Hex, author: string, note: string): QuotePart => ({
  name: 'example_note',
  text: 'insert into example_notes (request_id, author, note) select $1, $2, $3 from stored',
  values: [toBytea(requestId), author, note],
})

export const findNote = async (pool: Pool, requestId: Hex): Promise<StoredNote | null> => {
  const { rows } = await pool.query<StoredNote>(
    'select note, author, signature is not null as signed from example_notes where request_id = $1',
    [toBytea(requestId)],
  )
  return rows[0] ?? null
}

export const saveSignature = async (pool: Pool, requestId: Hex, signature: Hex): Promise<void> => {
  await pool.query('update example_notes set signature = $2 where request_id = $1', [
    toBytea(requestId),
    toBytea(signature),
  ])
}
