import type { Arrival } from '@causeway/core/chain'
import { type ArrivalsIn, askSideBySide } from '@causeway/core/chain-kit'
import type { DepositSource } from '../deposit/depositSource.js'
import { creditOf, locatorOf } from '../deposit/readDeposits.js'
import { askBlock, findAt, PrunedError } from '../read/accounts.js'
import type { CommittedTransaction, TonNode } from '../rpc/tonApi.js'

/**
 * Payments to deposit addresses: of all transactions of the network in a range those of live addresses are read. Jettons that came without a
 * notification are found by their balance.
 */
export const addressArrivals =
  (source: DepositSource): ArrivalsIn<TonNode> =>
  async (node, { after, upTo }, live) => {
    const heights = Array.from({ length: Number(upTo - after) }, (_, at) => after + 1n + BigInt(at))
    const found = await askSideBySide(
      heights,
      async (height) => {
        const listed = await node.ask((api, signal) => api.committed(height, signal))
        const paid = listed.filter(({ address }) => live.has(address))
        return askSideBySide(paid, (one) => arrivalsOf(node, { ...one, block: height }, source), { signal: undefined })
      },
      { signal: undefined },
    )
    return found.flat(2)
  }

const arrivalsOf = async (
  node: TonNode,
  { address, lt, hash, block: height }: CommittedTransaction & { readonly block: bigint },
  source: DepositSource,
): Promise<readonly Arrival[]> => {
  const [transaction, block] = await Promise.all([
    findAt(node, address, { lt, hash, block: height }, height),
    askBlock(node, height),
  ])
  if (transaction === null || block === null) throw new PrunedError(`a transaction of block ${height}`)
  const locator = locatorOf(address, lt, block)
  source.seen.set(hash, locator)
  const { jettons } = await source.complete(node, { account: address, transaction, block })
  const credit = creditOf(transaction, { depository: address, jettons, mayBounce: true })
  if (credit === null || credit.amount <= 0n) return []
  const { currency, amount, source: sender } = credit
  return [
    {
      ...{ state: 'included', tx: { id: hash, locator }, position: 0, to: { address }, block },
      ...{ money: { currency, amount }, sender: sender.toRawString() },
    },
  ]
}
