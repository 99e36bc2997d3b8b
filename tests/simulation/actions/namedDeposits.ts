import type { World } from '../world.js'
import type { Action } from './action.js'

/** Users whose deposits nobody tells of name them to a host, as `POST /transactions/index` does: a node may have hidden them. */
export const nameDeposits: Action = {
  name: 'named deposits',
  weight: 2,
  run: async (world, random) => {
    const stored = await world.ask((query) =>
      query<{ id: string }>('select chain_id || tx_id as id from deposits where state = $$included$$'),
    )
    const known = new Set(stored.map(({ id }) => id))
    const host = world.anyHost(random)?.host
    if (host === null || host === undefined) return
    for (const { chainId, txId } of depositsOn(world).filter((item) => !known.has(`${item.chainId}${item.txId}`))) {
      await world.as(host.process, async () => host.hints.hint(chainId, txId, 'user'))
    }
  },
}

const depositsOn = ({ ledgers }: World) =>
  ledgers.flatMap((ledger) =>
    ledger
      .records()
      .filter(({ transfer, status }) => status === 'success' && transfer.to === ledger.depository)
      .map(({ id }) => ({ chainId: ledger.chainId, txId: id })),
  )
