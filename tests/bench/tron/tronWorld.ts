import type { HostNetwork } from '../../harness/host/hostProcess.js'
import type { Cell, MatrixKind } from '../../transfers/matrixCells.js'
import { closeChains, type MatrixChain, networkOf, startChains } from '../../transfers/matrixChains.js'
import { chainTestingOf } from '../../transfers/servedChain.js'
import type { UserNetwork } from '../../transfers/userClient.js'
import { type NodeProxies, startNodeProxies } from './nodeProxy.js'

const PACKAGE = '@causeway/chain-tvm'

/** Two Tron networks, and a host's configuration in which proxies are before their nodes. */
export interface TronWorld extends UserNetwork {
  readonly kind: MatrixKind
  readonly origin: MatrixChain
  readonly destination: MatrixChain
  readonly proxies: NodeProxies
  readonly proxied: HostNetwork
  close(): Promise<void>
}

/** @param options options of both chains besides those of their deployments */
export const startTronWorld = async (options: Readonly<Record<string, unknown>>): Promise<TronWorld> => {
  const kind: MatrixKind = { package: PACKAGE, usd: 1n, testing: await chainTestingOf(PACKAGE) }
  const user: Cell = { from: kind, to: kind, symbol: 'TRX', into: 'TRX', end: 'success', name: 'bench' }
  const chains = await startChains([kind], [user])
  const [origin, destination] = chains
  if (origin === undefined || destination === undefined) throw new Error('There are no two networks')
  const proxies = startNodeProxies()
  const network = networkOf([kind], chains)
  const proxied = await Promise.all(
    network.chains.map(async (chain) => ({
      ...chain,
      options: { ...chain.options, ...options },
      rpc: await Promise.all(chain.rpc.map(async ({ http }) => ({ http: await proxies.before(http) }))),
    })),
  )
  return {
    ...{ kind, origin, destination, proxies, host: network },
    proxied: { ...network, chains: proxied },
    walletKeys: Object.fromEntries(chains.map(({ id, users }) => [id, users.map(({ walletKey }) => walletKey)])),
    close: async () => {
      await proxies.close()
      await closeChains(chains)
    },
  }
}
