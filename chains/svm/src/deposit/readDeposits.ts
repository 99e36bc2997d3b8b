import type { BlockRef, DepositEvent } from '@causeway/core/chain'
import { resultOf } from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import type { Hit } from '../read/watch/signatureReader.js'
import type { Ask, BlockReader } from '../rpc/head/blockReader.js'
import { isNewVersion } from '../rpc/rpcErrors.js'
import { type RpcTransaction, transactionCall } from '../rpc/wire.js'
import { recogniseDeposits } from './recognise/recognise.js'

/** What makes a deposit of this deployment. */
export interface DepositForm {
  readonly depository: string
  readonly program: string | null
}

export interface ReadDeps extends DepositForm {
  readonly blocks: BlockReader
  /** Most transactions in one request. */
  readonly batch: number
  /** Told of a transaction in a form that this version cannot read: it is passed over, or it would hold up all others. */
  readonly onUnreadable: (hit: Hit) => void
}

export interface Reading {
  readonly deposits: readonly DepositEvent[]
  readonly read: readonly Hit[]
  /** The first one that the node listed and does not show; what comes after it was not read. */
  readonly missing: Hit | null
}

/** Reads what stands behind hits, in their order, from one node. */
export const readDeposits = async (
  hits: readonly Hit[],
  finalized: bigint,
  ask: Ask,
  deps: ReadDeps,
): Promise<Reading> => {
  const deposits: DepositEvent[] = []
  const read: Hit[] = []
  for (let from = 0; from < hits.length; from += deps.batch) {
    const part = hits.slice(from, from + deps.batch)
    const [outcomes, blocks] = await Promise.all([
      ask(part.map(({ signature }) => transactionCall(signature))),
      deps.blocks.read(
        part.map(({ slot }) => slot),
        finalized,
        ask,
      ),
    ])
    for (const [at, hit] of part.entries()) {
      const outcome = outcomes[at]
      if (outcome?.ok === false && isNewVersion(outcome.error)) {
        deps.onUnreadable(hit)
        read.push(hit)
        continue
      }
      const transaction = outcome?.ok ? (outcome.result as RpcTransaction | null) : null
      const block = blocks.get(hit.slot)
      // In another slot by now: a fork passed between the two answers.
      if (block === undefined || !isShown(transaction, hit)) return { deposits, read, missing: hit }
      deposits.push(...recogniseDeposits(transaction, deps.depository, deps.program, block))
      read.push(hit)
    }
  }
  return { deposits, read, missing: null }
}

/** A final transaction whose block the node has thrown away, or which only another node shows; null when it does not show it. */
export const readAlone = async (
  hit: Hit,
  finalized: bigint,
  ask: Ask,
  deps: ReadDeps,
): Promise<readonly DepositEvent[] | null> => {
  const [outcome] = await ask([transactionCall(hit.signature)])
  const transaction = resultOf<RpcTransaction | null>(outcome, 'getTransaction')
  if (!isShown(transaction, hit)) return null
  const found = (await deps.blocks.read([hit.slot], finalized, ask)).get(hit.slot)
  if (found === undefined && hit.slot > finalized) return null
  const block = found ?? forgottenBlock(hit.slot, transaction.blockTime ?? 0)
  return recogniseDeposits(transaction, deps.depository, deps.program, block)
}

const isShown = (transaction: RpcTransaction | null, hit: Hit): transaction is RpcTransaction =>
  transaction !== null && BigInt(transaction.slot) === hit.slot

/** Nodes keep transactions longer than blocks; the hash of a final block that is gone is written as zeros. */
const forgottenBlock = (slot: bigint, time: number): BlockRef => ({ height: slot, hash: NATIVE, time })
