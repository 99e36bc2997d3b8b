import type { Pool } from 'pg'
import type { MatrixChain } from '../transfers/matrixChains.js'
import type { OrderPayments } from './orderPayments.js'

interface LedgerUpdate {
  readonly hash: string
  readonly delta: { readonly type: string; readonly user?: string; readonly nonce?: number }
}

/**
 * Numbers of transfers that the accounts of solver and depository sent with a nonce of an order, as the exchange lists them. Which nonces
 * an order has is in the database alone.
 */
export const paymentsOf = async (chain: MatrixChain, orderId: string, database: Pool): Promise<OrderPayments> => {
  const { rows } = await database.query<{ wallet: string; nonce: string }>(
    `select '0x' || encode(wallet, 'hex') as wallet, nonce::text from nonce_mappings where chain_id = $1 and id = $2`,
    [chain.id, Buffer.from(orderId.slice(2), 'hex')],
  )
  const sentBy = async (account: string): Promise<number> => {
    const user = account.toLowerCase()
    const nonces = new Set(rows.filter(({ wallet }) => wallet === user).map(({ nonce }) => Number(nonce)))
    const own = (await updatesOf(chain, user)).filter(
      ({ delta }) => delta.user === user && nonces.has(delta.nonce ?? 0),
    )
    return own.length
  }
  const [paid, withdrawn] = await Promise.all([sentBy(chain.payout.address), sentBy(chain.deployment.depository)])
  return { paid, withdrawn }
}

const updatesOf = async ({ local }: MatrixChain, user: string): Promise<readonly LedgerUpdate[]> => {
  const response = await fetch(`${local.endpoint.http}/info`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'userNonFundingLedgerUpdates', user, startTime: 0 }),
  })
  if (!response.ok) throw new Error(`Ledger updates were answered with ${response.status}`)
  // CAST: the shape of the exchange's API.
  return (await response.json()) as readonly LedgerUpdate[]
}
