import type { Arrival, Live } from '@causeway/core/chain'
import { type ArrivalsIn, askSideBySide } from '@causeway/core/chain-kit'
import { readTransfers } from '../read/transfers.js'
import type { ExchangeNode } from '../rpc/exchangeNode.js'
import { askUpdates } from '../rpc/ledgerUpdates.js'
import { blockAt } from '../rpc/status.js'
import type { Assets } from '../rpc/tokens.js'

const AT_ONCE = 10

/** Transfers to deposit addresses: the list of each live address, since the exchange has none of all accounts. */
export const addressArrivals =
  (assets: Assets, spotUsdc: string): ArrivalsIn<ExchangeNode> =>
  async (node, { after, upTo }, live) => {
    const range = { from: Number(after) + 1, upTo: Number(upTo) }
    const lists = await askSideBySide(
      addressesOf(live),
      async (user) => readTransfers(await askUpdates(node, { user, ...range }), assets, spotUsdc),
      { signal: undefined, atOnce: AT_ONCE },
    )
    return lists.flat().flatMap(({ hash, time, from, to, currency, amount }): readonly Arrival[] =>
      from === to || amount === 0n || !live.has(to)
        ? []
        : [
            {
              ...{ state: 'included', tx: { id: hash, locator: { time } }, position: 0, to: { address: to } },
              ...{ money: { currency, amount }, sender: from, block: blockAt(time, hash) },
            },
          ],
    )
  }

const addressesOf = (live: Live): readonly string[] => {
  if (live.accounts === undefined) throw new Error('The live addresses of this chain cannot be listed.')
  return [...live.accounts()]
}
