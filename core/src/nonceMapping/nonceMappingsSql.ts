import type { Pool } from 'pg'
import type { Clock } from '../clock/clock.js'
import { fromBytea, toBytea } from '../database/hexBytea.js'
import type { Hex } from '../money/hex.js'
import type { StorageBudget } from '../quote/storageBudget.js'
import { NONCE_MAPPING_DOMAIN } from './nonceMappingMessage.js'
import type {
  MappingOwner,
  NewNonceMapping,
  NonceKey,
  NonceMapping,
  NonceMappings,
  NonceRegistration,
} from './nonceMappings.js'

export interface SqlNonceMappingsDeps {
  readonly pool: Pick<Pool, 'query'>
  readonly clock: Clock
  /** Default: `NONCE_MAPPING_DOMAIN`. */
  readonly domainName?: string | undefined
  /** Bounds what callers whom nobody vouches for may store; none where only `own` mappings are kept. */
  readonly budget?: Pick<StorageBudget, 'take'>
}

interface MappingRow {
  wallet: Buffer
  nonce: string
  id: Buffer
  depositor: Buffer
  created_at: Date
}

/** A row with its two indexes, bytes. */
const ROW_BYTES = 300
const DAY_MS = 86_400_000
/** A nonce is good until three days after its mapping, and hosts may be down: a mapping is kept at least this long. */
const LEAST_DAYS = 7
const DUE_AT_ONCE = 5_000

const COLUMNS = 'm.wallet, m.nonce::text as nonce, m.id, m.depositor, m.created_at'

// CAST: whoever calls has addresses; `toBytea` throws for what is none.
const addressBytes = (text: string): Buffer => toBytea(text.toLowerCase() as Hex)

const toMapping = (chainId: number, row: MappingRow): NonceMapping => ({
  chainId,
  wallet: fromBytea(row.wallet),
  nonce: Number(row.nonce),
  id: fromBytea(row.id),
  depositor: fromBytea(row.depositor),
  createdAt: row.created_at.getTime(),
})

/** Nonce mappings in PostgreSQL. */
export class SqlNonceMappings implements NonceMappings {
  readonly domainName: string
  readonly #deps: SqlNonceMappingsDeps

  constructor(deps: SqlNonceMappingsDeps) {
    this.#deps = deps
    this.domainName = deps.domainName ?? NONCE_MAPPING_DOMAIN
  }

  async find(chainId: number, keys: readonly NonceKey[]): Promise<readonly (NonceMapping | null)[]> {
    if (keys.length === 0) return []
    const { rows } = await this.#deps.pool.query<MappingRow | Record<keyof MappingRow, null>>({
      name: 'nonce_mappings_find',
      text: `select ${COLUMNS} from unnest($2::bytea[], $3::bigint[]) with ordinality k (wallet, nonce, place)
        left join nonce_mappings m on m.chain_id = $1 and m.wallet = k.wallet and m.nonce = k.nonce order by k.place`,
      values: [chainId, keys.map(({ wallet }) => addressBytes(wallet)), keys.map(({ nonce }) => nonce)],
    })
    return rows.map((row) => (row.wallet === null ? null : toMapping(chainId, row)))
  }

  async register(mapping: NewNonceMapping, owner: MappingOwner): Promise<NonceRegistration> {
    if (owner !== 'own' && owner.holder !== null) this.#deps.budget?.take(owner.holder, ROW_BYTES)
    if (await this.#insert(mapping, owner === 'own')) return 'registered'
    const [stored] = await this.find(mapping.chainId, [mapping])
    // It is gone where it was just removed, and then so old that its nonce is of no use.
    return stored && isSame(stored, mapping) ? 'known' : 'taken'
  }

  /** False: the nonce has a mapping. */
  async #insert({ chainId, wallet, nonce, id, depositor }: NewNonceMapping, own: boolean): Promise<boolean> {
    const { rowCount } = await this.#deps.pool.query({
      name: 'nonce_mapping_insert',
      text: `insert into nonce_mappings (chain_id, wallet, nonce, id, depositor, kept, created_at)
        values ($1, $2, $3, $4, $5, $6, to_timestamp($7 / 1000.0)) on conflict do nothing`,
      values: [
        ...[chainId, addressBytes(wallet), nonce, toBytea(id), addressBytes(depositor)],
        ...[own, this.#deps.clock.now()],
      ],
    })
    return rowCount === 1
  }
}

const isSame = (stored: NonceMapping, { id, depositor }: NewNonceMapping): boolean =>
  stored.id === id.toLowerCase() && stored.depositor === depositor.toLowerCase()

/** What is kept is marked, so that it is not looked at every time. */
const REMOVE = `with due as (
    select chain_id, wallet, nonce, id from nonce_mappings where not kept and created_at < $1
    order by created_at limit $2 for update skip locked
  ), paid as (
    select chain_id, wallet, nonce from due m where exists (
      select from deposits d where d.order_id = m.id and d.chain_id = m.chain_id and lower(d.depositor) = '0x' || encode(m.wallet, 'hex'))
  ), marked as (
    update nonce_mappings m set kept = true from paid p where (m.chain_id, m.wallet, m.nonce) = (p.chain_id, p.wallet, p.nonce)
  ), removed as (
    delete from nonce_mappings m using due u where (m.chain_id, m.wallet, m.nonce) = (u.chain_id, u.wallet, u.nonce)
      and not exists (select from paid p where (p.chain_id, p.wallet, p.nonce) = (u.chain_id, u.wallet, u.nonce))
  )
  select count(*)::int as due from due`

/**
 * Removes mappings whose wallets made no deposit, once they are as old as unpaid quotes get, some thousands at a time so that no statement
 * takes long. Others are kept, as are those of payments of this service: who reads the chain again needs them.
 */
export const removeUnusedMappings = async (
  pool: Pick<Pool, 'query'>,
  { days, now }: { readonly days: number; readonly now: number },
): Promise<void> => {
  const before = new Date(now - Math.max(days, LEAST_DAYS) * DAY_MS).toISOString()
  for (let due = DUE_AT_ONCE; due === DUE_AT_ONCE; ) {
    const { rows } = await pool.query<{ due: number }>(REMOVE, [before, DUE_AT_ONCE])
    due = rows[0]?.due ?? 0
  }
}
