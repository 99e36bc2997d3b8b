import { resultOf } from '@causeway/core/chain-kit'
import type { MempoolReading } from '../bitcoinSource.js'
import { type RawTransaction, readRawTransaction } from '../rawTransaction.js'
import { hashOf, hexBytes, listOf } from '../readAnswer.js'
import { type CoreRpc, NOT_FOUND } from './coreRpc.js'

/** A node's mempool, of which each transaction is read once. */
export class CoreMempool {
  readonly #rpc: CoreRpc
  #transactions: ReadonlyMap<string, RawTransaction> = new Map()
  #reading: Promise<readonly RawTransaction[]> | null = null

  constructor(rpc: CoreRpc) {
    this.#rpc = rpc
  }

  /** What waits now, whole but for what is known. */
  async since(known: ReadonlySet<string>): Promise<MempoolReading> {
    const waiting = await this.read()
    return { ids: waiting.map(({ id }) => id), read: waiting.filter(({ id }) => !known.has(id)) }
  }

  /** All transactions that wait now. */
  read(): Promise<readonly RawTransaction[]> {
    this.#reading ??= this.#refresh().finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  async #refresh(): Promise<readonly RawTransaction[]> {
    const ids = listOf(await this.#rpc.call('getrawmempool')).map(hashOf)
    const missing = ids.filter((id) => !this.#transactions.has(id))
    const outcomes = await this.#rpc.batch(missing.map((id) => ({ method: 'getrawtransaction', params: [id, 0] })))
    const next = new Map<string, RawTransaction>()
    for (const id of ids) {
      const known = this.#transactions.get(id)
      if (known !== undefined) next.set(id, known)
    }
    missing.forEach((id, at) => {
      const outcome = outcomes[at]
      // One that left meanwhile is not waiting any more.
      if (outcome?.ok === false && outcome.error.code === NOT_FOUND) return
      next.set(id, readRawTransaction(hexBytes(resultOf(outcome, 'getrawtransaction')), id))
    })
    this.#transactions = next
    return [...next.values()]
  }
}
