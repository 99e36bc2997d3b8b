import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Hex } from '@causeway/core'
import {
  buildRecord,
  type DatabasePool,
  fromBytea,
  loadRecordFacts,
  type RecordColumns,
  type RecordContext,
  type RecordRow,
  toBytea,
} from '@causeway/core/plugin'
import { LRUCache } from 'lru-cache'

type Db = Parameters<typeof loadRecordFacts>[0]

/** Characters of texts that a process keeps: some 2,500 records. */
const KEPT = 16_000_000

/** Raised whenever the record of the same facts changes, or how it is stored. */
const FORM = 2

/** A text as it is stored: a fifth of its length. */
export const packRecord = (text: string): Buffer => deflateRawSync(text)

export const unpackRecord = (packed: Buffer): string => inflateRawSync(packed).toString()

/** A request on a page with its public record as JSON text. */
export interface RecordOnPage {
  readonly row: RecordRow
  readonly text: string
}

interface StoredText {
  readonly request_id: Buffer
  readonly made: string
  readonly packed: Buffer
}

/**
 * The stored texts of records. A page brings only which version of each it needs; those that were read before are still here,
 * since texts are most of what a page would carry. A text counts while it has the current form and no touch of its request waits; every other
 * record is built from the facts, so that a reader never sees one older than a status it was told.
 */
export class RecordTexts {
  /** What the texts depend on beside the facts. */
  readonly form: string
  readonly #context: RecordContext
  /** By request and version. */
  readonly #kept = new LRUCache<string, string>({ maxSize: KEPT, sizeCalculation: (text) => text.length })

  constructor(context: RecordContext) {
    this.#context = context
    const { partnerKey } = context
    this.form = createHash('sha256')
      .update(JSON.stringify([FORM, partnerKey]))
      .digest('hex')
      .slice(0, 16)
  }

  /** What a page brings with each request: the version of its text, and whether that is out of date. */
  get columns(): RecordColumns {
    return {
      select: ', rt.xmin::text as made, exists (select from request_touches rq where rq.request_id = r.id) as stale',
      join: `left join record_texts rt on rt.request_id = r.id and rt.form = '${this.form}'`,
    }
  }

  /** The records of a page made with `columns`, in its order; those that are not stored are built in one batch. */
  async ofPage(pool: DatabasePool, rows: readonly RecordRow[]): Promise<readonly RecordOnPage[]> {
    const texts = await this.#stored(
      pool,
      rows.filter(({ columns: { made, stale } }) => typeof made === 'string' && stale !== true),
    )
    const built = await this.build(
      pool,
      rows.filter(({ id }) => !texts.has(id)),
    )
    return rows.flatMap((row) => {
      const text = texts.get(row.id) ?? built.get(row.id)
      return text === undefined ? [] : [{ row, text }]
    })
  }

  /** The stored texts of rows, in this version or a later one. */
  async #stored(pool: DatabasePool, rows: readonly RecordRow[]): Promise<Map<Hex, string>> {
    const texts = new Map<Hex, string>()
    for (const { id, columns } of rows) {
      const kept = this.#kept.get(`${id} ${columns.made}`)
      if (kept !== undefined) texts.set(id, kept)
    }
    const missing = rows.filter(({ id }) => !texts.has(id)).map(({ id }) => toBytea(id))
    if (missing.length === 0) return texts
    const { rows: read } = await pool.query<StoredText>({
      name: 'record_texts_read',
      text: 'select request_id, xmin::text as made, packed from record_texts where request_id = any($1) and form = $2',
      values: [missing, this.form],
    })
    for (const { request_id, made, packed } of read) {
      const id = fromBytea(request_id)
      const text = unpackRecord(packed)
      texts.set(id, text)
      this.#kept.set(`${id} ${made}`, text)
    }
    return texts
  }

  /** Builds records from the facts as they are now, by id. */
  async build(
    db: Db,
    ids: readonly { readonly id: Hex; readonly unpaid: boolean }[],
  ): Promise<ReadonlyMap<Hex, string>> {
    if (ids.length === 0) return new Map()
    const facts = await loadRecordFacts(db, ids)
    return new Map([...facts].map(([id, each]) => [id, JSON.stringify(buildRecord(each, this.#context))]))
  }

  /** Stores texts in the caller's transaction; most changes of a finished request leave its record as it is. */
  async store(db: Db, texts: ReadonlyMap<Hex, string>): Promise<void> {
    if (texts.size === 0) return
    await db.query({
      name: 'record_texts_store',
      text: `insert into record_texts (request_id, form, packed) select u.id, $3, u.packed from unnest($1::bytea[], $2::bytea[]) u(id, packed)
        on conflict (request_id) do update set form = excluded.form, packed = excluded.packed, text = null
        where (record_texts.form, record_texts.packed) is distinct from (excluded.form, excluded.packed)`,
      values: [[...texts.keys()].map(toBytea), [...texts.values()].map(packRecord), this.form],
    })
  }
}
