import { type DatabasePool, findAudit, type StoredAuditEntry } from '@causeway/core/plugin'

/** Something that was done to a key. */
export interface KeyDeed {
  /** Number of the entry. */
  readonly id: string
  readonly at: number
  /** As the command line calls it: `api-keys rename`. */
  readonly action: string
  /** A wallet of the same integrator, or whoever runs the service. */
  readonly by: { readonly kind: 'member'; readonly wallet: string } | { readonly kind: 'operator' }
  /** As the audit names who did it; for operators alone. */
  readonly actor: string
  /** What changed: label, limits, trust. */
  readonly change: Readonly<Record<string, string | boolean | null>>
}

const WALLET = /^wallet (0x[0-9a-f]{40}) from /
/** What of the details is the key's own. */
const TOLD = ['label', 'labelBefore', 'elevated', 'trusted', 'enabled'] as const

const walletOf = ({ actor }: StoredAuditEntry): string | null => WALLET.exec(actor)?.[1] ?? null

/** Those of the wallets that are members of the integrator and no operators. */
const membersAmong = async (
  pool: DatabasePool,
  integratorId: string,
  wallets: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (wallets.length === 0) return new Set()
  const { rows } = await pool.query<{ address: string }>({
    name: 'dashboard_members_among',
    text: 'select address from dashboard_wallets where address = any($2) and integrator_id = $1 and not operator',
    values: [integratorId, wallets],
  })
  return new Set(rows.map(({ address }) => address))
}

const changeOf = ({ details }: StoredAuditEntry): KeyDeed['change'] =>
  Object.fromEntries(
    TOLD.flatMap((name) => {
      const value = details[name]
      return typeof value === 'string' || typeof value === 'boolean' || value === null ? [[name, value]] : []
    }),
  )

/** What was done to a key, newest first, one more than `limit` where there are more. */
export const readKeyDeeds = async (
  pool: DatabasePool,
  { id, integratorId }: { readonly id: string; readonly integratorId: string },
  page: { readonly limit: number; readonly before?: string },
): Promise<readonly KeyDeed[]> => {
  const entries = await findAudit(pool, { subject: `api key ${id}`, ...page, limit: page.limit + 1 })
  const members = await membersAmong(pool, integratorId, [
    ...new Set(entries.flatMap((entry) => walletOf(entry) ?? [])),
  ])
  return entries.map((entry) => {
    const wallet = walletOf(entry)
    return {
      ...{ id: entry.id, at: entry.at, action: entry.action, actor: entry.actor },
      by: wallet !== null && members.has(wallet) ? { kind: 'member', wallet } : { kind: 'operator' },
      change: changeOf(entry),
    }
  })
}

/** When a key was first used, to the minute; null where that is not known. */
export const readFirstUse = async (pool: DatabasePool, id: string): Promise<Date | null> => {
  const { rows } = await pool.query<{ first_used_at: Date | null }>({
    name: 'api_key_first_use',
    text: 'select first_used_at from api_keys where id = $1',
    values: [id],
  })
  return rows[0]?.first_used_at ?? null
}
