import { type Cell, loadKinds, type MatrixKind } from './matrixCells.js'
import { closeChains, type MatrixChain, networkOf, startChains } from './matrixChains.js'
import type { UserNetwork } from './userClient.js'

/** An EVM chain and one of each of some other VMs with the same assets on all, and what a host needs to serve them. */
export interface EvmStar extends UserNetwork {
  readonly evm: MatrixChain
  /** @throws Error if there is none of the VM */
  other(vmType: string): MatrixChain
  close(): Promise<void>
}

const USERS = 2

/** Starts the chains, each with two users. @param ids of chains by VM, where not any will do */
export const startEvmStar = async (
  vmTypes: readonly string[],
  ids: Readonly<Record<string, number>> = {},
): Promise<EvmStar> => {
  const kinds = (await loadKinds()).filter(({ testing }) => ['evm', ...vmTypes].includes(testing.vmType))
  const chains = await startChains(kinds, kinds.flatMap(usersOf), { users: 0, of: [], ids })
  const other = (vmType: string): MatrixChain => {
    const found = chains.find(({ kind }) => kind.testing.vmType === vmType)
    if (found === undefined) throw new Error(`There is no chain of ${vmType}`)
    return found
  }
  return {
    ...{ evm: other('evm'), other, host: networkOf(kinds, chains) },
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
