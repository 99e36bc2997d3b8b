import { larger } from '@causeway/core'
import {
  type EndpointMonitor,
  type JsonRpcClient,
  type JsonRpcEndpoint,
  type JsonRpcNode,
  SequenceLane,
  SequenceValidity,
} from '@causeway/core/chain-kit'
import type { XrpSettings } from '../options.js'
import type { FeeSource } from '../payout/feeLevels.js'
import type { SweepForms } from '../payout/sweepForms.js'
import type { TransferRates } from '../payout/transferRates.js'
import { askMoment } from './laneMoment.js'
import { XrpPayments } from './xrpPayments.js'

/** Numbers in order that may wait for each other: servers queue ten transactions of an account. Tickets wait for none. */
const MOST_OPEN = 10
/** What is configured may have been lowered: payments of before lived for as long as payments do that nothing is configured for. */
const USUAL_LIFETIME = 20n

export interface XrpLaneParts {
  readonly rpc: JsonRpcClient
  readonly monitor: Pick<EndpointMonitor<JsonRpcNode>, 'report'>
  readonly settings: Pick<XrpSettings, 'depository' | 'networkId' | 'maxFeeDrops' | 'lifetimeLedgers'>
  readonly fees: FeeSource
  readonly rates: TransferRates
  /** Null: no deposit addresses. */
  readonly sweeps: SweepForms | null
  readonly heads: {
    /** Newest ledger from memory; null before there is one. */
    readonly latest: { readonly height: bigint } | null
    /** The same, asked for where there is none. */
    tip(): Promise<{ readonly height: bigint }>
  }
}

/**
 * Payments of the solver by the numbers of its account, its tickets first, and of the depository and the account of deposit addresses by
 * theirs. Only validated ledgers count, so what was sent and is in none is not listed: after a database failed over the lane waits
 * until all that it may have lost has expired (faults.md F121).
 */
export const xrpLane = (parts: XrpLaneParts): SequenceLane<JsonRpcEndpoint> => {
  const { rpc, monitor, settings, heads } = parts
  const chain = new XrpPayments(parts)
  const { replace, cancel } = chain
  const lifetime = settings.lifetimeLedgers
  const longestLifetime = larger(lifetime, USUAL_LIFETIME)
  const validity = new SequenceValidity({
    pool: rpc,
    moment: async (node: JsonRpcEndpoint) => (await askMoment(node)).moment,
    longestLifetime,
    known: async () => (await heads.tip()).height,
  })
  return new SequenceLane({
    chain,
    pool: rpc,
    monitor,
    order: { kind: 'strict', mostOpen: MOST_OPEN, replace, cancel },
    lifetime,
    longestLifetime,
    settle: 0,
    newest: () => heads.latest?.height ?? null,
    extras: { cosigns: true, validity },
  })
}
