import { LedgerHandle, type LedgerKind, type LocalChainOptions, startLedger } from '@causeway/core/testing'
import type { proto } from '@hiero-ledger/proto'
import type { ExchangeRate } from '../engine/rules/fees.js'
import { CONSENSUS_METHODS } from '../server/consensusNode.js'
import { applyBodies } from './applyBodies.js'
import { type Applied, type ConsensusFault, open } from './openLocalHedera.js'

/** A local Hedera network: the endpoint is its mirror node, which names the consensus nodes. */
export class LocalHedera extends LedgerHandle {
  // Consensus is final (chains.md hederavm 4).
  override readonly reorg = null

  /** Applies transactions without keys and fees, in a block. @throws Error with the result of one that fails */
  apply(...bodies: readonly proto.ITransactionBody[]): Promise<readonly Applied[]> {
    return applyBodies(this, bodies)
  }

  /** Applies transactions as children of a contract's call, in a block; returns the call. @throws Error with the result of one that fails */
  applyWithin(...bodies: readonly proto.ITransactionBody[]): Promise<readonly Applied[]> {
    return applyBodies(this, bodies, true)
  }

  setRate(rate: ExchangeRate): Promise<void> {
    return this.control('setRate', rate)
  }

  /** Number of transactions that nodes take between two blocks; above it they answer `BUSY`. Null: no limit. */
  setThrottle(most: number | null): Promise<void> {
    return this.control('setThrottle', most)
  }

  /**
   * A fault of a method of gRPC (`cryptoTransfer`) is one of the consensus nodes; an error with the name of a response code is answered
   * with that code. Any other fault is one of the mirror node.
   */
  override failNext(fault: ConsensusFault): Promise<void> {
    return CONSENSUS_METHODS.has(fault.method ?? '') ? this.control('failConsensus', fault) : super.failNext(fault)
  }

  override async clearFaults(): Promise<void> {
    await this.control('clearConsensusFaults')
    await super.clearFaults()
  }

  override async counts(): Promise<Readonly<Record<string, number>>> {
    return { ...(await super.counts()), ...(await this.control<Record<string, number>>('consensusCounts')) }
  }
}

export const LOCAL_HEDERA: LedgerKind<LocalHedera> = {
  module: new URL('./openLocalHedera.js', import.meta.url).href,
  open,
  blockMs: 1000,
  endpointAt: (port) => ({ http: `http://127.0.0.1:${port}` }),
  handle: (parts) => new LocalHedera(parts),
}

/** Starts a local network on 127.0.0.1. @throws Error with the end of its log if it does not start */
export const startLocalHedera = (options: LocalChainOptions): Promise<LocalHedera> => startLedger(LOCAL_HEDERA, options)
