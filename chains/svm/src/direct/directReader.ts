import type { DirectCandidate } from '@causeway/core/chain'
import { viewTransaction } from '../deposit/recognise/transactionView.js'
import { MEMO_PROGRAM } from '../payout/memo/memoInstruction.js'
import { readOrderIds } from '../payout/memo/memoText.js'
import type { BoundNode } from '../read/watch/boundNode.js'
import type { Hit } from '../read/watch/signatureReader.js'
import { isNewVersion } from '../rpc/rpcErrors.js'
import { type RpcTransaction, transactionCall } from '../rpc/wire.js'

/** Transactions that are remembered as read. */
const MAX_SEEN = 10_000

/** Reads the transactions that mention the deployment's mark: one listing finds those of all quotes. Each is read once. */
export class DirectReader {
  readonly #batch: number
  readonly #seen = new Set<string>()

  /** `batch`: most transactions in one request. */
  constructor(batch: number) {
    this.#batch = batch
  }

  /** `isWhole`: false where the node lists a transaction that it does not show yet. */
  async read(
    hits: readonly Hit[],
    { ask }: BoundNode,
  ): Promise<{ readonly candidates: readonly DirectCandidate[]; readonly isWhole: boolean }> {
    const fresh = hits.filter(({ signature }) => !this.#seen.has(signature))
    if (this.#seen.size > MAX_SEEN) this.#seen.clear()
    const candidates: DirectCandidate[] = []
    let isWhole = true
    for (let from = 0; from < fresh.length; from += this.#batch) {
      const part = fresh.slice(from, from + this.#batch)
      const outcomes = await ask(part.map(({ signature }) => transactionCall(signature)))
      for (const [at, { signature }] of part.entries()) {
        const outcome = outcomes[at]
        const transaction = outcome?.ok ? (outcome.result as RpcTransaction | null) : null
        // A version that this release does not read is passed over, or it would hold up all others.
        if (transaction === null && !(outcome?.ok === false && isNewVersion(outcome.error))) isWhole = false
        else this.#seen.add(signature)
        if (transaction !== null) candidates.push(...candidatesIn(transaction))
      }
    }
    return { candidates, isWhole }
  }
}

/** Every request that the memos of a transaction name, whether it succeeded or not; `DirectCapability.outcome` judges it. */
const candidatesIn = (transaction: RpcTransaction): readonly DirectCandidate[] => {
  const { meta } = transaction
  const view = viewTransaction(meta === null ? transaction : { ...transaction, meta: { ...meta, err: null } })
  if (view === null) return []
  const senders = view.keys.slice(0, transaction.transaction.signatures.length)
  const memos = view.instructions.filter(({ program }) => program === MEMO_PROGRAM)
  const ids = new Set(memos.flatMap(({ data }) => readOrderIds(Buffer.from(data).toString('utf8'))))
  return [...ids].map((requestId) => ({ requestId, tx: { id: view.id }, senders }))
}
