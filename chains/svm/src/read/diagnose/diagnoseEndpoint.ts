import type { Diagnosis } from '@causeway/core/chain'
import {
  type EndpointReading,
  type JsonRpcEndpoint,
  type NeededCall,
  type RpcOutcome,
  resultOf,
  tryBatch,
  unservedCalls,
} from '@causeway/core/chain-kit'
import { clockCall, readClock } from '../../rpc/clock.js'
import {
  blocksCall,
  blockWithAccountsCall,
  latestBlockhashCall,
  type RpcAccount,
  type RpcBlockWithAccounts,
  type RpcContext,
  type RpcLatestBlockhash,
  slotCall,
  transactionCall,
} from '../../rpc/wire.js'
import { signaturesCall } from '../watch/signatureReader.js'
import type { DiagnoseDeps } from './diagnoseDeps.js'

/** The newest confirmed slot, and whether the endpoint has a history of the depository's transactions. */
export const readEndpoint = async (
  endpoint: JsonRpcEndpoint,
  subject: string,
  { settings }: DiagnoseDeps,
): Promise<EndpointReading> => {
  const [latest, clock, signatures] = await endpoint.batch([
    latestBlockhashCall('confirmed'),
    clockCall('confirmed'),
    signaturesCall(settings.depository, { limit: 1 }),
  ])
  const head = resultOf<RpcContext<RpcLatestBlockhash>>(latest, 'getLatestBlockhash')
  const height = BigInt(head.context.slot)
  return {
    height,
    // CAST: an answered getAccountInfo is an account or null, in a context.
    time: clock?.ok ? readClock(clock.result as RpcContext<RpcAccount | null>) : null,
    history: async () => {
      const told = history(subject, signatures)
      if (told.state !== 'ok' || settings.depositPoolKey === null) return told
      return (await blockFault(endpoint, subject, height)) ?? told
    },
    limits: async () => {
      const unserved = await unservedCalls(endpoint, neededCalls(settings.depository, height))
      await tryBatch(endpoint, slotCall('confirmed'))
      return unserved
    },
  }
}

/** A signature that no transaction has: 64 bytes of zero. */
const NO_SIGNATURE = '1'.repeat(64)
const SPARE = 'Other endpoints are asked for it. Without one'

/** Calls that not every provider serves, or not in every plan. */
const neededCalls = (depository: string, height: bigint): readonly NeededCall[] => [
  {
    call: { method: 'getRecentPrioritizationFees', params: [[depository]] },
    cost: `${SPARE}, no payout is priced and the chain gives no quotes.`,
  },
  {
    call: { method: 'getMinimumBalanceForRentExemption', params: [0] },
    cost: `${SPARE}, payouts that open an account are not priced.`,
  },
  {
    call: { method: 'getSignatureStatuses', params: [[NO_SIGNATURE], { searchTransactionHistory: true }] },
    cost: `${SPARE}, payouts are not confirmed: they stay pending.`,
  },
  {
    call: { method: 'getTransaction', params: transactionCall(NO_SIGNATURE).params },
    cost: `${SPARE}, deposits are not read.`,
  },
  {
    call: blocksCall(height, 1),
    cost: `${SPARE}, a backlog of payments to deposit addresses is not read.`,
  },
]

/** What comes to deposit addresses is read from whole blocks, which not every provider gives. */
const blockFault = async (endpoint: JsonRpcEndpoint, subject: string, height: bigint): Promise<Diagnosis | null> => {
  const [block] = await endpoint.batch([blockWithAccountsCall(height)])
  // CAST: an answered getBlock is a block or null.
  const shown = block?.ok ? (block.result as RpcBlockWithAccounts | null) : null
  if (Array.isArray(shown?.transactions)) return null
  return {
    check: 'rpc blocks',
    subject,
    state: 'fault',
    message: 'does not show blocks with the accounts of their transactions',
    remedy: 'Payments to deposit addresses are found by getBlock: use a node that answers it.',
  }
}

const history = (subject: string, outcome: RpcOutcome | undefined): Diagnosis =>
  outcome?.ok
    ? { check: 'rpc history', subject, state: 'ok', message: 'lists the transactions of an address' }
    : {
        check: 'rpc history',
        subject,
        state: 'fault',
        message: 'does not list the transactions of an address',
        remedy: 'Deposits are found by getSignaturesForAddress: use a node that keeps the history of transactions.',
      }
