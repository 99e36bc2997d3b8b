import { createHash } from 'node:crypto'
import { CallError, type LedgerView } from '@causeway/core/testing'
import { Address, type ShardAccount } from '@ton/core'
import { accountAt } from '../engine/accounts.js'
import type { TonLedger } from '../engine/tonLedger.js'
import type { TonBlock, TonTx } from '../engine/tonTx.js'

export const SHARD = '-9223372036854775808'
export const MASTERCHAIN = -1
/** Seqnos of the shard differ from those of the masterchain, as on the public network. */
const SHARD_AHEAD = 1000

/** Name of a block, as liteservers know it. */
export interface BlockName {
  readonly workchain: number
  readonly shard: string
  readonly seqno: number
  /** Base64. */
  readonly rootHash: string
  readonly fileHash: string
}

/** A page of an account's transactions. */
export interface AccountPage {
  readonly lt?: bigint | undefined
  /** 64 hex digits. */
  readonly hash?: string | undefined
  /** Transactions up to this logical time are left out. */
  readonly toLt?: bigint | undefined
  readonly limit: number
}

/** An error of a liteserver. */
export const liteserverError = (text: string): CallError => new CallError(500, `LITE_SERVER_UNKNOWN: ${text}`)

/** @throws CallError with the status of toncenter */
export const parseAddress = (text: string): Address => {
  try {
    return Address.parse(text)
  } catch {
    throw new CallError(416, 'Incorrect address')
  }
}

/** The network as one node shows it. */
export class TonView {
  constructor(
    readonly ledger: TonLedger,
    readonly view: LedgerView<TonTx, TonBlock>,
  ) {}

  get head(): TonBlock {
    return this.view.head
  }

  /** State of an account after a masterchain block; the newest by default. @throws CallError if the node has no such state */
  account(address: Address, seqno = this.head.height): ShardAccount {
    return accountAt(this.ledger.accounts.at(this.block(seqno).height), address.toRawString())
  }

  /** @throws CallError if the node does not have it */
  block(seqno: number): TonBlock {
    const block = this.view.block(seqno)
    if (block === null) throw liteserverError('seqno not in db')
    return block
  }

  /** The block of a workchain with this seqno of that workchain. @throws CallError if the node does not have it */
  workchainBlock(workchain: number, seqno: number): TonBlock {
    return this.block(workchain === MASTERCHAIN ? seqno : seqno - SHARD_AHEAD)
  }

  /**
   * The oldest block that fits, as an index finds it.
   * @throws CallError if no block fits, or if the node may have dropped the first one that fits
   */
  firstBlock(fits: (block: TonBlock) => boolean): TonBlock {
    const { since, blocks } = this.view
    for (let height = since; height <= this.head.height; height += 1) {
      const block = this.view.block(height)
      if (block === null || !fits(block)) continue
      if (height === since && since > blocks.first) throw liteserverError('ltdb: block not found')
      return block
    }
    throw new CallError(
      500,
      `LITE_SERVER_NOTREADY: cannot find block: last known masterchain block: ${this.head.height}`,
    )
  }

  nameOf(block: TonBlock, workchain = MASTERCHAIN): BlockName {
    const isMaster = workchain === MASTERCHAIN
    const rootHash = isMaster ? Buffer.from(block.hash, 'hex').toString('base64') : digest('shard', block.hash)
    const seqno = isMaster ? block.height : block.height + SHARD_AHEAD
    return { workchain, shard: SHARD, seqno, rootHash, fileHash: digest(`file${workchain}`, block.hash) }
  }

  /**
   * Transactions of an account, newest first, from the one that is named or from the newest one on. A page ends at the oldest transaction
   * that the node has, whatever its size.
   * @throws CallError if the node does not have the first one
   */
  transactions(address: Address, { lt, hash, toLt = 0n, limit }: AccountPage): readonly Placed[] {
    const known = new Map(this.view.history(address.toRawString()).map((placed) => [placed.tx.lt, placed] as const))
    const newest = this.account(address).lastTransactionLt
    const found: Placed[] = []
    let next = lt ?? newest
    if (next === 0n) return []
    const first = known.get(next)
    if (first === undefined) {
      throw liteserverError('cannot locate transaction in block with specified logical time: lt not in db')
    }
    if (hash !== undefined && first.tx.hash !== hash) throw liteserverError('transaction hash mismatch')
    for (let placed = known.get(next); placed !== undefined && found.length < limit; placed = known.get(next)) {
      if (placed.tx.lt <= toLt) break
      found.push(placed)
      next = placed.tx.prevLt
    }
    return found
  }

  /** The transaction of an account that a test of it finds. */
  find(address: Address, fits: (tx: TonTx) => boolean): Placed | null {
    return this.view.history(address.toRawString()).find(({ tx }) => fits(tx)) ?? null
  }
}

/** A transaction and its block. */
export interface Placed {
  readonly tx: TonTx
  readonly block: TonBlock
}

const digest = (kind: string, hash: string): string => createHash('sha256').update(`${kind}:${hash}`).digest('base64')
