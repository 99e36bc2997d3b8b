import type { Pool, PoolClient } from 'pg'
import { fromBytea, toBytea } from '../../database/hexBytea.js'
import type { Hex } from '../../money/hex.js'
import type { PayoutState } from '../payoutState.js'
import type { ClaimTerms } from './claimId.js'

/** A claim as its wallet signed it. */
export interface StoredClaim extends ClaimTerms {
  readonly id: Hex
  /** Unix milliseconds until which it may be signed. */
  readonly expiresAt: number
  /** Null: asked for at a former release, which stored claims before they were signed. */
  readonly payoutId: string | null
}

/** A claim as it is stored once its wallet has signed it. */
export type NewClaim = Omit<StoredClaim, 'payoutId'>

/** Stores a claim whose wallet has signed it; one that is stored already stays as it is. */
export const storeClaim = async (
  client: PoolClient,
  { id, wallet, balance, chainId, currency, recipient, minimum, expiresAt }: NewClaim,
  now: number,
): Promise<void> => {
  await client.query({
    name: 'claim_store',
    text: `insert into claims (id, wallet, balance_chain_id, balance_currency, amount, chain_id, currency, recipient, minimum, asked_at, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, to_timestamp($10 / 1000.0), to_timestamp($11 / 1000.0)) on conflict (id) do nothing`,
    values: [
      toBytea(id),
      wallet,
      balance.chainId,
      balance.currency,
      balance.amount.toString(),
      chainId,
      currency,
      recipient,
      minimum.toString(),
      now,
      expiresAt,
    ],
  })
}

interface ClaimRow {
  id: Buffer
  wallet: string
  balance_chain_id: string
  balance_currency: string
  amount: string
  chain_id: string
  currency: string
  recipient: string
  minimum: string
  expires_at: Date
  payout_id: string | null
}

const COLUMNS = `id, wallet, balance_chain_id::text as balance_chain_id, balance_currency, amount::text as amount, chain_id::text as chain_id,
  currency, recipient, minimum::text as minimum, expires_at, payout_id::text as payout_id`

const toClaim = (row: ClaimRow): StoredClaim => ({
  id: fromBytea(row.id),
  wallet: row.wallet,
  balance: { chainId: Number(row.balance_chain_id), currency: row.balance_currency, amount: BigInt(row.amount) },
  chainId: Number(row.chain_id),
  currency: row.currency,
  recipient: row.recipient,
  minimum: BigInt(row.minimum),
  expiresAt: row.expires_at.getTime(),
  payoutId: row.payout_id,
})

/** A stored claim by its id; null: its wallet has not signed it. */
export const findClaim = async (db: Pool | PoolClient, id: Hex): Promise<StoredClaim | null> => {
  const { rows } = await db.query<ClaimRow>({
    name: 'claim',
    text: `select ${COLUMNS} from claims where id = $1`,
    values: [toBytea(id)],
  })
  return rows[0] === undefined ? null : toClaim(rows[0])
}

/** The same, and nobody else signs it until the end of the caller's transaction. */
export const lockClaim = async (client: PoolClient, id: Hex): Promise<StoredClaim | null> => {
  const { rows } = await client.query<ClaimRow>({
    name: 'claim_lock',
    text: `select ${COLUMNS} from claims where id = $1 for update`,
    values: [toBytea(id)],
  })
  return rows[0] === undefined ? null : toClaim(rows[0])
}

/** A signed claim as its wallet sees it; amounts in the smallest unit. */
export interface ShownClaim {
  readonly id: Hex
  readonly recipient: string
  readonly chainId: number
  readonly currency: string
  readonly amount: bigint
  readonly state: PayoutState
  /** Of its payment: that which is on the chain, else that which was sent last; null before. */
  readonly txId: string | null
  readonly createdAt: Date
}

/** Where a page of claims goes on: behind this one. */
export interface ClaimPosition {
  /** Microseconds since 1970, as text. */
  readonly signedAt: string
  readonly id: Hex
}

/** The signed claims of a wallet, newest first, each with its position. */
export const listClaims = async (
  db: Pool | PoolClient,
  { wallet, limit, after }: { readonly wallet: string; readonly limit: number; readonly after: ClaimPosition | null },
): Promise<readonly (ShownClaim & { readonly position: ClaimPosition })[]> => {
  const { rows } = await db.query<{
    id: Buffer
    recipient: string
    chain_id: string
    currency: string
    amount: string
    state: PayoutState
    tx_id: string | null
    signed_at: Date
    micros: string
  }>({
    name: 'claims_list',
    text: `select c.id, c.recipient, p.chain_id::text as chain_id, p.currency, p.amount::text as amount, p.state, a.tx_id, c.signed_at,
        (extract(epoch from c.signed_at) * 1000000)::bigint::text as micros
      from claims c join payouts p on p.id = c.payout_id
        left join lateral (select a.tx_id from payout_attempts a where a.payout_id = p.id and a.kind = 'pay' and a.state in ('broadcast', 'included')
          order by a.state = 'included' desc, a.generation desc, a.version desc limit 1) a on p.state in ('signed', 'included', 'final')
      where c.wallet = $1 and c.payout_id is not null
        and ($3::bigint is null or (c.signed_at, c.id) < (timestamptz 'epoch' + $3::bigint * interval '1 microsecond', $4))
      order by c.signed_at desc, c.id desc limit $2`,
    values: [wallet, limit, after?.signedAt ?? null, after === null ? null : toBytea(after.id)],
  })
  return rows.map((row) => ({
    id: fromBytea(row.id),
    recipient: row.recipient,
    chainId: Number(row.chain_id),
    currency: row.currency,
    amount: BigInt(row.amount),
    state: row.state,
    txId: row.tx_id,
    createdAt: row.signed_at,
    position: { signedAt: row.micros, id: fromBytea(row.id) },
  }))
}

/** How long an unsigned claim of a former release is kept after its time. */
const KEPT_MS = 86_400_000

/** Removes claims that a former release stored and no wallet signed, some thousands at most, so that one call is bounded. */
export const removeExpiredClaims = async (pool: Pool, now: number): Promise<void> => {
  await pool.query({
    name: 'claims_forget',
    text: `delete from claims where id in (select id from claims
      where payout_id is null and expires_at < to_timestamp($1 / 1000.0) order by expires_at limit 10000)`,
    values: [now - KEPT_MS],
  })
}
