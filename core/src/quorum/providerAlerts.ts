import type { Pool, PoolClient } from 'pg'

/**
 * `providers-disagree` about money, for example a deposit that some show and others deny (faults.md F05);
 * `endpoint-distrusted`: most others contradict it; `quorum-lost`: too few can be believed, so nothing is decided (F06).
 */
export const PROVIDER_ALERT_KINDS = ['providers-disagree', 'endpoint-distrusted', 'quorum-lost'] as const

export type ProviderAlertKind = (typeof PROVIDER_ALERT_KINDS)[number]

export interface ProviderAlert {
  readonly chainId: number
  readonly kind: ProviderAlertKind
  /** What it is about: a deposit, an endpoint's name; never a URL. */
  readonly subject: string
  readonly details: string
}

export interface StoredProviderAlert extends ProviderAlert {
  /** Unix milliseconds, of the current or last time that it was open. */
  readonly firstSeen: number
  readonly lastSeen: number
  readonly count: number
  /** Null while it is open. */
  readonly clearedAt: number | null
}

/** An alert that nothing repeats for this long is over. */
const FORGET_MS = 120_000

/**
 * Opens an alert or notes that it still holds; true when it was not open before. A disagreement keeps its first words: later a
 * liar is not asked any more.
 */
export const raiseProviderAlert = async (
  db: Pool | PoolClient,
  { chainId, kind, subject, details }: ProviderAlert,
  now: number,
): Promise<boolean> => {
  const { rows } = await db.query<{ count: number }>({
    name: 'provider_alert_raise',
    text: `insert into provider_alerts as a (chain_id, kind, subject, details, first_seen, last_seen, count)
      values ($1, $2, $3, $4, to_timestamp($5 / 1000.0), to_timestamp($5 / 1000.0), 1)
      on conflict (chain_id, kind, subject) do update set last_seen = excluded.last_seen,
        details = case when a.cleared_at is null and a.kind = 'providers-disagree' then a.details else excluded.details end,
        first_seen = case when a.cleared_at is null then a.first_seen else excluded.first_seen end,
        count = case when a.cleared_at is null then a.count + 1 else 1 end, cleared_at = null
      returning count`,
    values: [chainId, kind, subject, details, now],
  })
  return rows[0]?.count === 1
}

export const clearProviderAlert = async (
  db: Pool | PoolClient,
  { chainId, kind, subject }: Omit<ProviderAlert, 'details'>,
  now: number,
): Promise<void> => {
  await db.query({
    name: 'provider_alert_clear',
    text: `update provider_alerts set cleared_at = to_timestamp($4 / 1000.0)
      where chain_id = $1 and kind = $2 and subject = $3 and cleared_at is null`,
    values: [chainId, kind, subject, now],
  })
}

/** Clears what no process has seen for a while. */
export const clearForgottenAlerts = async (db: Pool | PoolClient, now: number): Promise<void> => {
  await db.query({
    name: 'provider_alerts_forget',
    text: `update provider_alerts set cleared_at = to_timestamp($1 / 1000.0)
      where cleared_at is null and last_seen < to_timestamp($2 / 1000.0)`,
    values: [now, now - FORGET_MS],
  })
}

/** Alerts, newest first; open ones only unless `all`. */
export const findProviderAlerts = async (
  db: Pool | PoolClient,
  {
    chainId,
    all = false,
    limit = 100,
  }: { readonly chainId?: number; readonly all?: boolean; readonly limit?: number } = {},
): Promise<StoredProviderAlert[]> => {
  const { rows } = await db.query<AlertRow>({
    name: 'provider_alerts_find',
    text: `select chain_id::text, kind, subject, details, first_seen, last_seen, count, cleared_at from provider_alerts
      where ($1::bigint is null or chain_id = $1) and ($2 or cleared_at is null) order by last_seen desc limit $3`,
    values: [chainId ?? null, all, limit],
  })
  return rows.map((row) => ({
    chainId: Number(row.chain_id),
    kind: row.kind,
    subject: row.subject,
    details: row.details,
    firstSeen: row.first_seen.getTime(),
    lastSeen: row.last_seen.getTime(),
    count: row.count,
    clearedAt: row.cleared_at?.getTime() ?? null,
  }))
}

interface AlertRow {
  chain_id: string
  kind: ProviderAlertKind
  subject: string
  details: string
  first_seen: Date
  last_seen: Date
  count: number
  cleared_at: Date | null
}
