import type { HostNetwork } from '../harness/host/hostProcess.js'
import { type Cell, loadKinds, type MatrixKind } from '../transfers/matrixCells.js'
import { closeChains, type MatrixChain, networkOf, startChains } from '../transfers/matrixChains.js'
import type { UserNetwork } from '../transfers/userClient.js'

/** An EVM chain and a Tron network with the same assets on both, and what a host needs to serve them. */
export interface TronNetwork extends UserNetwork {
  readonly evm: MatrixChain
  readonly tron: MatrixChain
  close(): Promise<void>
}

const USERS = 2
const KINDS = ['evm', 'tvm']
/** Blocks of one page. */
const PAGE = 99

/** Starts both chains, each with two users. @param id chain id of the Tron network, where not any will do */
export const startTronNetwork = async (id?: number): Promise<TronNetwork> => {
  const kinds = (await loadKinds()).filter(({ testing }) => KINDS.includes(testing.vmType))
  const chains = await startChains(kinds, kinds.flatMap(usersOf), {
    users: 0,
    of: [],
    ...(id === undefined ? {} : { ids: { tvm: id } }),
  })
  const [evm, tron] = chains
  if (evm === undefined || tron === undefined) throw new Error('There are no two chains')
  const host: HostNetwork = networkOf(kinds, chains)
  return {
    ...{ evm, tron, host },
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

/** A transaction as nodes list it with `visible`, as far as these tests read it. */
interface ListedTransaction {
  readonly ret?: readonly { readonly contractRet?: string }[]
  readonly raw_data: {
    readonly data?: string
    readonly contract: readonly {
      readonly parameter: {
        readonly value: {
          readonly owner_address: string
          readonly contract_address?: string
          readonly data?: string
        }
      }
    }[]
  }
}

/** Numbers of successful transactions of the solver that end with an order's id: payments, and calls of the depository. */
export const paymentsOf = async (
  { tron }: TronNetwork,
  orderId: string,
): Promise<{ readonly paid: number; readonly withdrawn: number }> => {
  const own = (await transactionsOf(tron)).flatMap(({ ret, raw_data: { data: memo, contract } }) => {
    const call = contract[0]?.parameter.value
    const isOurs = call?.owner_address === tron.payout.address && ret?.[0]?.contractRet === 'SUCCESS'
    return isOurs && `${call.data ?? ''}${memo ?? ''}`.endsWith(orderId.slice(2)) ? [call] : []
  })
  const withdrawn = own.filter((call) => call.contract_address === tron.deployment.depository).length
  return { paid: own.length - withdrawn, withdrawn }
}

const transactionsOf = async (chain: MatrixChain): Promise<readonly ListedTransaction[]> => {
  const height = await chain.local.height()
  const found: ListedTransaction[] = []
  for (let first = 0; first <= height; first += PAGE) found.push(...(await pageFrom(chain, first)))
  return found
}

const pageFrom = async ({ local }: MatrixChain, first: number): Promise<readonly ListedTransaction[]> => {
  const response = await fetch(`${local.endpoint.http}/wallet/getblockbylimitnext`, {
    method: 'POST',
    body: JSON.stringify({ startNum: first, endNum: first + PAGE, visible: true }),
  })
  if (!response.ok) throw new Error(`Blocks were answered with ${response.status}`)
  // CAST: the shape of the HTTP API of java-tron.
  const { block = [] } = (await response.json()) as {
    readonly block?: readonly { readonly transactions?: readonly ListedTransaction[] }[]
  }
  return block.flatMap(({ transactions = [] }) => transactions)
}
