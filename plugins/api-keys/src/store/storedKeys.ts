import type { ApiKeyModel, IntegratorModel } from '../models.js'

export interface Integrator {
  readonly id: string
  readonly name: string
  readonly createdAt: Date
}

/** A key as people see it: nothing of it can be used as one. */
export interface StoredApiKey {
  readonly id: string
  readonly integrator: Integrator
  readonly label: string | null
  /** Its first 12 characters; null of one brought from elsewhere. */
  readonly prefix: string | null
  readonly elevated: boolean
  /** An operator vouches for it: its quotes may hold all that is free. */
  readonly trusted: boolean
  readonly createdAt: Date
  readonly revokedAt: Date | null
  /** To the minute. */
  readonly lastUsedAt: Date | null
}

/** One page; `next` is the `after` of the one behind it, null on the last. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly next: string | null
}

export interface PageRequest {
  /** At most so many rows; 1 to 100. */
  readonly limit: number
  /** `next` of the page before. */
  readonly after?: string
}

const MAX_PAGE = 100

export const integratorOf = (row: IntegratorModel): Integrator => ({
  id: row.id,
  name: row.name,
  createdAt: row.created_at,
})

/** Throws for a row that was read without its integrator. */
export const storedKey = (row: ApiKeyModel): StoredApiKey => {
  if (row.integrator === undefined) throw new Error(`Key ${row.id} was read without its integrator.`)
  return {
    id: row.id,
    integrator: integratorOf(row.integrator),
    label: row.name,
    prefix: row.prefix,
    elevated: row.elevated,
    trusted: row.trusted,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  }
}

/** Between 1 and 100. */
export const pageSize = ({ limit }: PageRequest): number => Math.min(Math.max(Math.trunc(limit), 1), MAX_PAGE)

/** A page from one row more than it shows. */
export const pageOf = <Model extends { readonly id: string }, Row>(
  rows: readonly Model[],
  limit: number,
  shown: (row: Model) => Row,
): Page<Row> => {
  const kept = rows.slice(0, limit)
  return { rows: kept.map(shown), next: rows.length > limit ? (kept.at(-1)?.id ?? null) : null }
}
