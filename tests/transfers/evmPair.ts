import type { HostNetwork } from '../harness/host/hostProcess.js'
import { type Cell, loadKinds, type MatrixKind } from './matrixCells.js'
import { closeChains, type MatrixChain, networkOf, startChains } from './matrixChains.js'
import type { UserNetwork } from './userClient.js'

/** An EVM chain and one of another VM with the same assets on both, and what a host needs to serve them. */
export interface EvmPair extends UserNetwork {
  readonly evm: MatrixChain
  readonly other: MatrixChain
  close(): Promise<void>
}

const USERS = 2

/** Starts both chains, each with two users. @param id of the other chain, where not any will do */
export const startEvmPair = async (vmType: string, id?: number): Promise<EvmPair> => {
  const kinds = (await loadKinds()).filter(({ testing }) => ['evm', vmType].includes(testing.vmType))
  const ids = id === undefined ? {} : { ids: { [vmType]: id } }
  const chains = await startChains(kinds, kinds.flatMap(usersOf), { users: 0, of: [], ...ids })
  const [evm, other] = chains
  if (evm === undefined || other === undefined) throw new Error('There are no two chains')
  const host: HostNetwork = networkOf(kinds, chains)
  return {
    ...{ evm, other, host },
    walletKeys: Object.fromEntries(chains.map(({ id, users }) => [id, users.map(({ walletKey }) => walletKey)])),
    close: () => closeChains(chains),
  }
}

/** Cells of no test: a chain has one user for each cell that begins there. */
const usersOf = (kind: MatrixKind): readonly Cell[] => {
  const { symbol } = kind.testing.native
  const user: Cell = { from: kind, to: kind, symbol, into: symbol, end: 'success', name: 'user' }
  return Array.from({ length: USERS }, () => user)
}
