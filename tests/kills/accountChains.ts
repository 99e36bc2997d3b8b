import { Connection } from '@solana/web3.js'
import type { Pool } from 'pg'
import { paymentsOnSolana } from '../solana/paymentsOnSolana.js'
import type { MatrixChain } from '../transfers/matrixChains.js'
import { LedgerNode } from '../xrp/ledgerAccount.js'
import { paymentsOnXrp } from '../xrp/paymentsOnXrp.js'
import { paymentsOf as paymentsOnHedera } from './hederaPayments.js'
import { paymentsOf as paymentsOnHyperliquid } from './hyperliquidPayments.js'
import { paymentsOf as paymentsOnLighter } from './lighterPayments.js'
import type { OrderPayments } from './orderPayments.js'
import { paymentsOf as paymentsOnTon } from './tonPayments.js'
import { paymentsOf as paymentsOnTron } from './tronPayments.js'

/** A chain whose payments name their order. */
export interface AccountChain {
  readonly vmType: string
  /** Whole units that users pay in on an EVM chain, by symbol. */
  readonly fills: Readonly<Record<string, bigint>>
  /** `database`: that of the hosts, where a chain shows no order ids. */
  paymentsOf(chain: MatrixChain, orderId: string, database: Pool): Promise<OrderPayments>
}

const onSolana: AccountChain['paymentsOf'] = async ({ local, payout: { address } }, orderId) => {
  const counts = await paymentsOnSolana({ connection: new Connection(local.endpoint.http, 'confirmed'), address })
  const countOf = (purpose: string) => counts.get(`${purpose} ${orderId}`) ?? 0
  return { paid: countOf('fill') + countOf('refund'), withdrawn: countOf('withdraw') }
}

const onXrp: AccountChain['paymentsOf'] = async ({ id, local, payout, deployment: { depository } }, orderId) => {
  const node = new LedgerNode(local.endpoint.http, id)
  const { paid, withdrawn } = await paymentsOnXrp({ node, solver: payout.address, depository }, orderId)
  return { paid: paid.length, withdrawn: withdrawn.length }
}

/** Every VM whose payments are transactions of accounts; those of Bitcoin and EVM have walks of their own. */
export const ACCOUNT_CHAINS: readonly AccountChain[] = [
  { vmType: 'svm', fills: { SOL: 2n, USDC: 150n }, paymentsOf: onSolana },
  { vmType: 'xrpvm', fills: { XRP: 50n }, paymentsOf: onXrp },
  // Payments have a window of two minutes, and no number.
  { vmType: 'hederavm', fills: { HBAR: 200n }, paymentsOf: paymentsOnHedera },
  // A wallet takes each seqno once; a transfer of jettons attaches more TON than its order pays for, and gets most of it back.
  { vmType: 'tonvm', fills: { TON: 60n, USDC: 150n }, paymentsOf: paymentsOnTon },
  // The dollar answers false to a transfer that succeeds, as USDT does.
  { vmType: 'tvm', fills: { TRX: 200n, USDC: 150n }, paymentsOf: paymentsOnTron },
  // The exchange takes each nonce once, and its answer has no hash; SOL is a spot token there.
  { vmType: 'hypevm', fills: { USDC: 150n, SOL: 2n }, paymentsOf: paymentsOnHyperliquid },
  // The exchange takes each nonce once, and may know a transfer whose answer was lost; SOL is a spot asset there.
  { vmType: 'lvm', fills: { USDC: 150n, SOL: 2n }, paymentsOf: paymentsOnLighter },
]
