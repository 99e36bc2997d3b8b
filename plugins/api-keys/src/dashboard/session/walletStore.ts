import { randomUUID } from 'node:crypto'
import { type Clock, ServiceError } from '@causeway/core'
import type { DatabasePool } from '@causeway/core/plugin'
import type { PoolClient } from 'pg'

export interface WalletStoreDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
}

export interface Wallet {
  readonly address: string
  /** Where the wallet is a contract: the chain on which it is; null: it signs by its key. */
  readonly chainId: number | null
  readonly integratorId: string | null
  readonly operator: boolean
  readonly createdAt: Date
  readonly signedInAt: Date | null
}

/** What an operator sets; what is left out stays. */
export interface WalletChange {
  /** Null unlinks. */
  readonly integratorId?: string | null
  readonly operator?: boolean
  /** Null: the wallet signs by its key. */
  readonly chainId?: number | null
}

/** A wallet whose signature was checked. */
export interface SignedIn {
  readonly address: string
  /** The chain whose contract vouched; null: the key of the account signed. */
  readonly chainId: number | null
}

type WalletRow = Omit<Wallet, 'chainId'> & { readonly chainId: bigint | null }

const toWallet = ({ chainId, ...row }: WalletRow): Wallet => ({
  ...row,
  chainId: chainId === null ? null : Number(chainId),
})

const COLUMNS = `address, chain_id as "chainId", integrator_id as "integratorId", operator, created_at as "createdAt", signed_in_at as "signedInAt"`
const FOREIGN_KEY_VIOLATION = '23503'

/** Which wallets may sign in, for which integrator, and which are operators. Addresses are lower-case. */
export class WalletStore {
  readonly #deps: WalletStoreDeps

  constructor(deps: WalletStoreDeps) {
    this.#deps = deps
  }

  /**
   * Notes that a wallet signs in. One that belongs to nobody becomes an integrator of its own where that is allowed; gives
   * whether it did. Throws `ServiceError` `FORBIDDEN` where it is not, and to a contract of another chain than the wallet's.
   */
  async signIn(
    client: PoolClient,
    { address, chainId }: SignedIn,
    selfServe: boolean,
  ): Promise<{ readonly isNew: boolean }> {
    const now = new Date(this.#deps.clock.now())
    // Two first sign-ins at once would make two integrators.
    await client.query(`select pg_advisory_xact_lock(hashtextextended('dashboard wallet ' || $1, 0))`, [address])
    if (chainId !== null) await this.#refuseOtherContract(client, address, chainId)
    const { rows } = await client.query<{ known: boolean }>(
      `update dashboard_wallets set signed_in_at = $2 where address = $1 and (operator or integrator_id is not null)
       returning true as known`,
      [address, now],
    )
    if (rows.length > 0) return { isNew: false }
    if (!selfServe) {
      throw new ServiceError('FORBIDDEN', 'This wallet is not known here; ask the operator to link it to an integrator')
    }
    const integratorId = await this.#createIntegrator(client, address, now)
    await client.query(
      `insert into dashboard_wallets (address, integrator_id, chain_id, created_at, signed_in_at)
       values ($1, $2, $4, $3, $3)
       on conflict (address) do update set integrator_id = $2, signed_in_at = $3`,
      [address, integratorId, now, chainId],
    )
    return { isNew: true }
  }

  /** Sets what an operator says of a wallet, known or not; its sessions end with its chain. Throws `ServiceError` `INVALID_REQUEST` for an unknown integrator. */
  async change(client: PoolClient, address: string, change: WalletChange): Promise<Wallet> {
    const { integratorId, operator, chainId } = change
    const now = new Date(this.#deps.clock.now())
    try {
      const { rows } = await client.query<WalletRow>(
        `insert into dashboard_wallets as w (address, integrator_id, operator, created_at, chain_id)
         values ($1, $2, coalesce($3, false), $4, $6)
         on conflict (address) do update set
           integrator_id = case when $5 then $2 else w.integrator_id end,
           operator = coalesce($3, w.operator),
           chain_id = case when $7 then $6 else w.chain_id end
         returning ${COLUMNS}`,
        [
          ...[address, integratorId ?? null, operator ?? null, now, integratorId !== undefined],
          ...[chainId ?? null, chainId !== undefined],
        ],
      )
      const [wallet] = rows
      if (wallet === undefined) throw new Error('The wallet was not stored')
      if (chainId !== undefined) await client.query('delete from dashboard_sessions where wallet = $1', [address])
      return toWallet(wallet)
    } catch (error) {
      if (Reflect.get(Object(error), 'code') !== FOREIGN_KEY_VIOLATION) throw error
      throw new ServiceError('INVALID_REQUEST', 'body.integratorId is not one of an integrator')
    }
  }

  /** Forgets a wallet and with it its sessions; false when it was not known. */
  async remove(client: PoolClient, address: string): Promise<boolean> {
    const { rowCount } = await client.query('delete from dashboard_wallets where address = $1', [address])
    return rowCount === 1
  }

  /** By address, after `cursor`; `integratorId` leaves out those of others. */
  async list(page: {
    readonly limit: number
    readonly cursor?: string
    readonly integratorId?: string
  }): Promise<Wallet[]> {
    const { rows } = await this.#deps.pool.query<WalletRow>(
      `select ${COLUMNS} from dashboard_wallets
       where address > $1 and ($2::uuid is null or integrator_id = $2) order by address limit $3`,
      [page.cursor ?? '', page.integratorId ?? null, page.limit],
    )
    return rows.map(toWallet)
  }

  /**
   * The same address can be somebody else's contract on another chain, or one where there was an account: a contract is the wallet
   * that is known only on the chain that it is known by. The key of an account is the same on every chain.
   */
  async #refuseOtherContract(client: PoolClient, address: string, chainId: number): Promise<void> {
    const { rows } = await client.query<{ known: bigint | null }>(
      'select chain_id as known from dashboard_wallets where address = $1',
      [address],
    )
    const [row] = rows
    if (row === undefined || row.known === BigInt(chainId)) return
    const known = row.known === null ? 'an account with a key' : `a contract on chain ${row.known}`
    throw new ServiceError('FORBIDDEN', `This wallet is known here as ${known}; the operator can set another chain`)
  }

  async #createIntegrator(client: PoolClient, address: string, now: Date): Promise<string> {
    // The name is for people; one that is taken says nothing of who owns it.
    for (const name of [address, `${address} ${randomUUID().slice(0, 8)}`]) {
      const { rows } = await client.query<{ id: string }>(
        'insert into integrators (id, name, created_at) values ($1, $2, $3) on conflict (name) do nothing returning id',
        [randomUUID(), name, now],
      )
      if (rows[0] !== undefined) return rows[0].id
    }
    throw new Error('No name is left for the integrator')
  }
}
