import type { RpcEndpoint } from '@causeway/core/chain'
import { createPool } from '@causeway/core/plugin'
import { createTestDatabase } from '@causeway/core/testing'
import type { Pool } from 'pg'
import { startHostProcess } from '../harness/host/hostProcess.js'
import { createApiKey, runOperator } from '../harness/host/operatorCommand.js'
import { ApiClient } from './apiClient.js'
import type { Cell, MatrixKind } from './matrixCells.js'
import { closeChains, type MatrixChain, networkOf, slugOf, startChains } from './matrixChains.js'
import { openServed, type ServedChain } from './servedChain.js'

/** A host over one or two chains of each kind, and what a user and an operator have of it. */
export interface MatrixWorld {
  readonly api: ApiClient
  readonly pool: Pool
  readonly chains: readonly ServedChain[]
  /** Origin and destination of a cell: two chains, also where they are of one kind. */
  routeOf(cell: Cell): { readonly from: ServedChain; readonly to: ServedChain }
  /** Key of a user who has paid nothing yet. @throws Error when there is none left */
  nextUser(cell: Cell): string
  /** Runs a command of the built program over the same configuration and database. */
  command(...words: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }>
  close(): Promise<void>
}

const STATUS_MS = 150

/** Gives the endpoints that the host asks in place of a chain's own. */
export type EndpointFront = (endpoint: RpcEndpoint) => Promise<readonly RpcEndpoint[]>

/** Starts the chains with a user for each cell, and a host over them. */
export const startMatrixWorld = async (
  kinds: readonly MatrixKind[],
  cells: readonly Cell[],
  front: EndpointFront = async (endpoint) => [endpoint],
): Promise<MatrixWorld> => {
  // A second chain of a kind serves transfers between chains of that kind alone.
  const of = kinds.filter((kind) => cells.some(({ from, to }) => from === kind && to === kind))
  const second = { users: 0, of: of.map(({ testing }) => testing.vmType) }
  const [made, database] = await Promise.all([startChains(kinds, cells, second), createTestDatabase({ packages: [] })])
  const chains = await Promise.all(made.map(openOne))
  const fronted = await Promise.all(made.map(async ({ id, local }) => [id, await front(local.endpoint)] as const))
  const network = networkOf(kinds, made)
  const rpcOf = new Map(fronted)
  const options = {
    network: {
      ...network,
      chains: network.chains.map((chain) => ({ ...chain, rpc: rpcOf.get(chain.id) ?? chain.rpc })),
    },
    databaseUrl: database.url,
    // Deposits of some chains are linked to their orders by POST /authorize.
    morePlugins: [{ package: '@causeway/plugin-requests-v3' }, { package: '@causeway/plugin-gasless', options: {} }],
  }
  const host = await startHostProcess(options)
  const pool = createPool({ connectionString: database.url, max: 2, applicationName: 'causeway test' })
  const chainOf = (kind: MatrixKind, at: number) => made.findIndex(({ slug }) => slug === slugOf(kind, at))
  const left = made.map(({ users }) => [...users])
  return {
    api: new ApiClient({ baseUrl: host.url, apiKey: await createApiKey(options), pollMs: STATUS_MS }),
    pool,
    chains,
    routeOf: ({ from, to }) => {
      const [origin, destination] = [chains[chainOf(from, 0)], chains[chainOf(to, from === to ? 1 : 0)]]
      if (origin === undefined || destination === undefined) throw new Error('A cell of kinds that were not started')
      return { from: origin, to: destination }
    },
    nextUser: ({ from }) => {
      const user = left[chainOf(from, 0)]?.shift()
      if (user === undefined) throw new Error(`${from.testing.vmType} has too few users`)
      return user.walletKey
    },
    command: (...words) => runOperator(options, words),
    close: async () => {
      host.signal('SIGTERM')
      await host.ended
      await pool.end()
      await database.drop()
      await closeChains(made)
    },
  }
}

const openOne = ({ kind, slug, local, deployment }: MatrixChain): Promise<ServedChain> =>
  openServed(kind.package, { chainId: local.chainId, endpoint: local.endpoint, name: slug, ...deployment })
