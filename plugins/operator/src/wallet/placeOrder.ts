import { randomBytes } from 'node:crypto'
import { type Currency, destinationText, formatAmount, type Hex } from '@causeway/core'
import type { Destination, Signer } from '@causeway/core/chain'
import {
  createWalletOrder,
  operatorAddress,
  orderRefusal,
  readDatabaseId,
  signWalletOrder,
  type WalletAction,
  type WalletOrder,
  walletOrderText,
} from '@causeway/core/money-path'
import { ActionRefusedError, auditActor, type Chain, recordAudit, withTransaction } from '@causeway/core/plugin'
import type { WalletDeps } from './walletDeps.js'

/** What the operator wants, checked against the chain. */
export interface Wanted {
  /** Of the command line, for the audit: `wallet send`. */
  readonly command: string
  readonly action: WalletAction
  readonly chain: Chain
  readonly currency: Currency
  /** Smallest unit. */
  readonly amount: bigint
  readonly to: Destination
  /** Name of the contract, where it is one. */
  readonly toName: string | null
  readonly minutes: number
  readonly reason: string
  readonly yes: boolean
}

/**
 * Asks, signs with the operator's key and puts the order down, with its audit entry in one transaction. The lane of the wallet checks it
 * and signs; nothing is sent from here. @throws ActionRefusedError
 */
export const placeOrder = async (
  deps: WalletDeps,
  operator: Signer,
  wanted: Wanted,
): Promise<{ readonly id: Hex; readonly says: string }> => {
  const order = await orderOf(deps, wanted)
  const refusal = orderRefusal(order, {
    network: deps.network,
    database: order.database,
    chainId: order.chainId,
    wallet: order.wallet,
    adapter: wanted.chain.adapter,
    currencies: deps.currencies,
    policy: deps.wallet,
    now: deps.clock.now(),
  })
  if (refusal !== null) throw new ActionRefusedError(`This order would be refused: ${refusal}`)
  const says = describe(wanted, order)
  if (!wanted.yes && !(await deps.confirm(`Sign with ${operatorAddress(operator)}: ${says}?`)))
    throw new ActionRefusedError('Nothing was done.')
  const text = walletOrderText(order)
  const signature = await signWalletOrder(text, operator)
  const now = deps.clock.now()
  const id = await withTransaction(deps.pool, async (client) => {
    const created = await createWalletOrder(client, { text, signature }, now)
    await recordAudit(client, {
      at: now,
      actor: auditActor(),
      action: wanted.command,
      subject: `wallet ${order.chainId} ${order.wallet}`,
      details: {
        reason: wanted.reason,
        order: created,
        operator: operatorAddress(operator),
        currency: order.currency,
        amount: order.amount.toString(),
        to: order.recipient,
        expires: new Date(order.expires * 1_000).toISOString(),
      },
    })
    return created
  })
  return { id, says }
}

const orderOf = async (
  { pool, network, clock }: WalletDeps,
  { action, chain, currency, amount, to, minutes }: Wanted,
): Promise<WalletOrder> => ({
  network,
  database: await readDatabaseId(pool),
  action,
  chainId: chain.config.id,
  wallet: chain.config.solver,
  currency: currency.address,
  amount,
  recipient: destinationText(to),
  expires: Math.floor(clock.now() / 1_000) + minutes * 60,
  nonce: randomBytes(16).toString('hex'),
})

const describe = ({ action, chain, currency, amount, toName, minutes }: Wanted, order: WalletOrder): string => {
  const money = `${formatAmount(amount, currency.decimals)} ${currency.symbol}`
  const where = `the wallet ${order.wallet} on ${chain.config.slug}`
  const until = `good for ${minutes} min`
  return action === 'send'
    ? `send ${money} out of ${where} to ${order.recipient}, ${until}`
    : `let ${toName ?? 'the contract'} ${order.recipient} take up to ${money} out of ${where}, ${until}`
}
