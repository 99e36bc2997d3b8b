import type { Pool } from 'pg'
import type { AccessToken, AccessTokens } from '../chain/address/accessTokens.js'

/** Access tokens in PostgreSQL, one for each account. */
export class SqlAccessTokens implements AccessTokens {
  readonly #pool: Pool

  constructor(pool: Pool) {
    this.#pool = pool
  }

  async load(chainId: number, account: string): Promise<AccessToken | null> {
    const { rows } = await this.#pool.query<{ token: string; expires_at: Date }>(
      'select token, expires_at from access_tokens where chain_id = $1 and account = $2',
      [chainId, account],
    )
    const [row] = rows
    return row === undefined ? null : { token: row.token, expiresAt: row.expires_at.getTime() }
  }

  async save(chainId: number, account: string, { token, expiresAt }: AccessToken): Promise<void> {
    await this.#pool.query(
      `insert into access_tokens (chain_id, account, token, expires_at) values ($1, $2, $3, $4)
       on conflict (chain_id, account) do update set token = excluded.token, expires_at = excluded.expires_at
       where access_tokens.expires_at < excluded.expires_at`,
      [chainId, account, token, new Date(expiresAt)],
    )
  }
}
