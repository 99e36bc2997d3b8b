import type { Arrival } from '@causeway/core/chain'
import { type ArrivalsIn, askSideBySide } from '@causeway/core/chain-kit'
import type { DepositSource } from '../deposit/depositSource.js'
import { creditOf, locatorOf } from '../deposit/readDeposits.js'
import { askBlock, PrunedError } from '../read/accounts.js'
import type { TonNode } from '../rpc/tonApi.js'

/**
 * Payments to deposit addresses: of all transactions of the network in a range those of live addresses are read. Jettons that came without a
 * notification are found by their balance.
 */
export const addressArrivals =
  (source: DepositSource): ArrivalsIn<TonNode> =>
  async (node, { after, upTo }, live) => {
    const heights = Array.from({ length: Number(upTo - after) }, (_, at) => after + 1n + BigInt(at))
    const lists = await askSideBySide(heights, (height) => node.ask((api, signal) => api.committed(height, signal)), {
      signal: undefined,
    })
    const paid = lists.flatMap((listed, at) =>
      listed.filter(({ address }) => live.has(address)).map((one) => ({ ...one, height: heights[at] ?? upTo })),
    )
    return (await askSideBySide(paid, (one) => arrivalsOf(node, one, source), { signal: undefined })).flat()
  }

const arrivalsOf = async (
  node: TonNode,
  {
    address,
    lt,
    hash,
    height,
  }: { readonly address: string; readonly lt: bigint; readonly hash: string; readonly height: bigint },
  source: DepositSource,
): Promise<readonly Arrival[]> => {
  const [[transaction], block] = await Promise.all([
    node.ask((api, signal) => api.transactions(address, { lt, hash }, signal)),
    askBlock(node, height),
  ])
  if (transaction === undefined || block === null) throw new PrunedError(`a transaction of block ${height}`)
  const locator = locatorOf(address, lt, block)
  source.remember(hash, locator)
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
