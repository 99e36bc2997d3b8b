/** `src/parts.ts` of a chain of accounts with sequences. */
export const ACCOUNT_PARTS = `
import type { ChainDeps } from '@causeway/core/chain'
import { accountChain } from '@causeway/core/chain-kit'
import { COIN, normalizeCurrency, validateAddress } from './address.js'
import { Deposits } from './deposits.js'
import { BLOCK_MS, openNodes, probeOf } from './nodes.js'
import type { ChainOptions } from './options.js'
import { Payments } from './payments.js'
import { toBeDone } from './toBeDone.js'

/** Parts of core's kit (core/docs/kit/account.md) over this chain's nodes, deposits and payments. */
export const partsOf = (options: ChainOptions, deps: ChainDeps) => {
  const { config, logger } = deps
  const { depository, pollIntervalMs = 1000 } = options
  const { settle } = config.confirmations
  const rpc = openNodes(options, deps)
  return accountChain({
    config,
    logger,
    pool: rpc,
    probe: probeOf(settle),
    blockMs: BLOCK_MS,
    settings: { pollIntervalMs, endpointCheckMs: pollIntervalMs },
    native: COIN,
    forms: { validateAddress, normalizeCurrency },
    depository,
    source: new Deposits(depository),
    questions: {
      balances: async () => toBeDone('getBalances', 'amounts in the order asked; null where the chain does not tell one'),
    },
    // 'strict' where an account's transactions land only in the order of their numbers, without gaps.
    payments: { chain: new Payments(rpc, settle), order: { kind: 'free' }, lifetime: 20n },
  })
}
`

/** `src/deposits.ts` of a chain of accounts with sequences. */
export const ACCOUNT_DEPOSITS = `
import type { BlockRef, TxRef } from '@causeway/core/chain'
import type {
  JsonRpcEndpoint,
  LedgerPage,
  LedgerSource,
  PageRequest,
  TransactionReading,
} from '@causeway/core/chain-kit'
import { headOf } from './nodes.js'
import { toBeDone } from './toBeDone.js'

/** A transaction as your nodes show it. */
export type Transaction = Readonly<Record<string, unknown>>

/** How deposits are read (core/docs/kit/ledger.md). Add \`block\` where blocks may leave the chain. */
export class Deposits implements LedgerSource<JsonRpcEndpoint, Transaction> {
  readonly depository: string

  constructor(depository: string) {
    this.depository = depository
  }

  head(node: JsonRpcEndpoint): Promise<BlockRef> {
    return headOf(node)
  }

  async page(_node: JsonRpcEndpoint, _request: PageRequest): Promise<LedgerPage<Transaction>> {
    return toBeDone('watch', 'the transactions of an account between two heights, and since when the node knows all')
  }

  async transactions(_node: JsonRpcEndpoint, _txs: readonly TxRef[]): Promise<readonly (Transaction | null | 'forgotten')[]> {
    return toBeDone('recheckDeposits, confirmDeposit, findTransaction', 'transactions by id and locator')
  }

  readingOf(_transaction: Transaction): TransactionReading {
    return toBeDone('watch', 'what a transaction really put into the depository, and the order that it names')
  }
}
`

/** `src/payments.ts` of a chain of accounts with sequences. */
export const ACCOUNT_PAYMENTS = `
import type { Json } from '@causeway/core'
import type { BroadcastResult, Payout, SignedAttempt, Signer } from '@causeway/core/chain'
import {
  broadcastBatch,
  type DraftedPayment,
  type JsonRpcClient,
  type JsonRpcEndpoint,
  type LaneListing,
  type LaneQuestion,
  type LaneSince,
  type SequenceChain,
  type AccountReading,
  type SequenceSlot,
} from '@causeway/core/chain-kit'
import { toBeDone } from './toBeDone.js'

/** How payments are made and read back (core/docs/kit/lane.md). */
export class Payments implements SequenceChain<JsonRpcEndpoint> {
  readonly rpc: JsonRpcClient
  readonly settle: number

  constructor(rpc: JsonRpcClient, settle: number) {
    this.rpc = rpc
    this.settle = settle
  }

  addressOf(_signer: Signer): string {
    return toBeDone('lane.addressOf', 'the canonical address of a public key')
  }

  async read(_node: JsonRpcEndpoint, _question: LaneQuestion): Promise<AccountReading> {
    return toBeDone('lane.states, lane.payoutVerdict', 'the head, what is final, and transactions by id, all of one node')
  }

  async list(_node: JsonRpcEndpoint, _account: string, _since: LaneSince | null): Promise<LaneListing> {
    return toBeDone('lane.read', 'transactions that the account sent, pending ones too, and why some may be missing')
  }

  async draft(
    _payouts: readonly { readonly payout: Payout; readonly gas: bigint | null }[],
  ): Promise<readonly (((slot: SequenceSlot) => DraftedPayment) | null)[]> {
    return toBeDone('lane.prepare', 'a transaction and the most it can cost, once it has a sequence and an expiry')
  }

  async sign(_transaction: Json, _signer: Signer): Promise<Pick<SignedAttempt, 'txId' | 'raw'>> {
    return toBeDone('lane.sign', 'the bytes and their id; use signChecked of core')
  }

  broadcast(attempts: readonly SignedAttempt[]): Promise<readonly BroadcastResult[]> {
    const calls = attempts.map(({ raw }) => ({ method: 'send', params: [raw] }))
    // An error that surely means "it went nowhere" becomes "rejected"; all else leaves doubt.
    return broadcastBatch(this.rpc, calls, ({ message }) => ({ outcome: 'unknown', message }))
  }
}
`
