import { larger, ServiceError } from '@causeway/core'
import type { PermitForm } from '@causeway/core/chain'
import type { Chain, DatabaseClient, DatabasePool } from '@causeway/core/plugin'

/** What other signatures of an owner are about to take of a token. */
export interface Drawn {
  readonly count: number
  readonly amount: bigint
}

const NOTHING: Drawn = { count: 0, amount: 0n }

/** Of the signatures that are on their way; `terms` is left out itself. */
export const findDrawn = async (
  db: DatabasePool | DatabaseClient,
  { config }: Chain,
  { terms: { owner, money, orderId } }: PermitForm,
): Promise<Drawn> => {
  const { rows } = await db.query<{ count: number; amount: string }>({
    name: 'permits_drawn',
    text: `select count(*)::int as count, coalesce(sum(amount), 0)::text as amount from payouts
      where chain_id = $1 and signer = $2 and state in ('ready', 'signed') and purpose = 'origin' and currency = $3
        and data::jsonb -> 'origin' -> 'permit' -> 'terms' ->> 'owner' = $4 and order_id <> decode($5, 'hex')`,
    values: [config.id, config.solver, money.currency, owner, orderId.slice(2)],
  })
  const [row] = rows
  return row === undefined ? NOTHING : { count: row.count, amount: BigInt(row.amount) }
}

/** Signatures of one owner for one token are taken one after the other, until the commit. */
export const lockOwner = async (
  client: DatabaseClient,
  { config }: Chain,
  { terms: { owner, money } }: PermitForm,
): Promise<void> => {
  await client.query({
    name: 'permits_lock',
    text: `select pg_advisory_xact_lock(hashtextextended('permits of ' || $1, 0))`,
    values: [`${config.id} ${money.currency} ${owner}`],
  })
}

const later = (): ServiceError =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    'Another signature of this account for this token is on its way. Post the same signature again once that has its deposit.',
  )

/** What the owner has of the token; null where the chain does not tell. */
export const heldBy = async ({ adapter }: Chain, { terms: { owner, money } }: PermitForm): Promise<bigint | null> => {
  const { amounts } = await adapter.getBalances([{ address: owner, currency: money.currency }])
  return amounts[0] ?? null
}

/** At most what was on its way at either time: what landed between them is spent, whenever the owner's balance was read. */
export const mostDrawn = (before: Drawn, now: Drawn): Drawn => ({
  count: Math.max(before.count, now.count),
  amount: larger(before.amount, now.amount),
})

/**
 * Each signature passes alone; together they may ask for more than the owner has, or for one nonce, and all but the first would fail on the
 * chain, at our cost. Throws ServiceError SERVICE_UNAVAILABLE for one that has to wait.
 */
export const requireRoom = ({ terms: { kind, money } }: PermitForm, drawn: Drawn, held: bigint | null): void => {
  if (drawn.count === 0) return
  // Those of EIP-2612 are counted by the token: the second one of a number is none.
  if (kind === 'eip2612' || held === null || held < drawn.amount + money.amount) throw later()
}
