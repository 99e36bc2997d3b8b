import type { Hex, Json } from '@causeway/core'
import {
  type DatabasePool,
  type KeyOwnership,
  ORDER_FACTS_JOIN,
  QUOTED_SQL,
  type RecordRow,
  toBytea,
} from '@causeway/core/plugin'
import type { HistoryScope } from '../historyScope.js'
import type { RecordOnPage } from './recordTexts.js'

export interface OwnerFieldDeps {
  readonly pool: DatabasePool
  readonly ownership: KeyOwnership
}

/** What only the owner of a request sees of it; null: owned and empty (wire.md K.3 1). */
interface OwnerFields {
  readonly referrer: string | null
  readonly platformFee: Json
  readonly apiKeyName: string | null
}

const platformFees = async (pool: DatabasePool, rows: readonly RecordRow[]): Promise<ReadonlyMap<Hex, Json>> => {
  const { rows: found } = await pool.query<{ id: string; fee: Json }>({
    name: 'record_platform_fees',
    text: `select '0x' || encode(r.id, 'hex') as id, (${QUOTED_SQL})::json->'platformFee' as fee
        from requests r join request_facts f on f.request_id = r.id ${ORDER_FACTS_JOIN} where r.id = any($1)
      union all select '0x' || encode(id, 'hex'), quoted::json->'platformFee' from quotes where id = any($2)`,
    values: [false, true].map((unpaid) => rows.filter((row) => row.unpaid === unpaid).map(({ id }) => toBytea(id))),
  })
  // CAST: encode gives hex.
  return new Map(found.map(({ id, fee }) => [id as Hex, fee]))
}

const fieldsOf = async (
  { pool, ownership }: OwnerFieldDeps,
  rows: readonly RecordRow[],
): Promise<ReadonlyMap<Hex, OwnerFields>> => {
  const [fees, names] = await Promise.all([
    platformFees(pool, rows),
    ownership.keyNames([...new Set(rows.flatMap(({ apiKeyId }) => apiKeyId ?? []))]),
  ])
  return new Map(
    rows.map(({ id, apiKeyId, referrer }) => [
      id,
      { referrer, platformFee: fees.get(id) ?? null, apiKeyName: (apiKeyId && names.get(apiKeyId)) ?? null },
    ]),
  )
}

/** Adds the owner's fields to the records of a page that the scope owns; others stay as they are. */
export const withOwnerFields = async (
  deps: OwnerFieldDeps,
  scope: Pick<HistoryScope, 'owns'>,
  page: readonly RecordOnPage[],
): Promise<readonly RecordOnPage[]> => {
  const owned = page.map(({ row }) => row).filter(({ integratorId }) => scope.owns(integratorId))
  if (owned.length === 0) return page
  const fields = await fieldsOf(deps, owned)
  return page.map((item) => {
    const added = fields.get(item.row.id)
    if (added === undefined) return item
    const record: { readonly data: object } = JSON.parse(item.text)
    return { ...item, text: JSON.stringify({ ...record, data: { ...record.data, ...added } }) }
  })
}
