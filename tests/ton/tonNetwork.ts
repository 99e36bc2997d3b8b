import type { HostNetwork } from '../harness/host/hostProcess.js'
import { type Cell, loadKinds, type MatrixKind } from '../transfers/matrixCells.js'
import { closeChains, type MatrixChain, networkOf, startChains } from '../transfers/matrixChains.js'
import type { UserNetwork } from '../transfers/userClient.js'

/** An EVM chain and a TON network with the same assets on both, and what a host needs to serve them. */
export interface TonNetwork extends UserNetwork {
  readonly evm: MatrixChain
  readonly ton: MatrixChain
  close(): Promise<void>
}

const USERS = 2
const KINDS = ['evm', 'tonvm']

/** Starts both chains, each with two users. */
export const startTonNetwork = async (): Promise<TonNetwork> => {
  const kinds = (await loadKinds()).filter(({ testing }) => KINDS.includes(testing.vmType))
  const chains = await startChains(kinds, kinds.flatMap(usersOf), { users: 0, of: [] })
  const [evm, ton] = chains
  if (evm === undefined || ton === undefined) throw new Error('There are no two chains')
  const host: HostNetwork = networkOf(kinds, chains)
  return {
    ...{ evm, ton, host },
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

/** Numbers of messages with an order's id that the wallets of the solver and of the depository sent, as a node lists them. */
export const paymentsOf = async (
  { ton }: TonNetwork,
  orderId: string,
): Promise<{ readonly paid: number; readonly withdrawn: number }> => {
  const [paid, withdrawn] = await Promise.all(
    [ton.payout.address, ton.deployment.depository].map((account) => sentBy(ton, account, orderId)),
  )
  return { paid: paid ?? 0, withdrawn: withdrawn ?? 0 }
}

interface ListedTransaction {
  readonly out_msgs: readonly { readonly msg_data: { readonly body: string } }[]
}

/** The text of an order is in one piece in the bytes of a message, also where it names the order of jettons. */
const sentBy = async ({ local }: MatrixChain, account: string, orderId: string): Promise<number> => {
  const query = new URLSearchParams({ address: account, limit: '100' })
  const response = await fetch(`${local.endpoint.http}/api/v2/getTransactions?${query}`)
  if (!response.ok) throw new Error(`A list of transactions was answered with ${response.status}`)
  // CAST: the shape of toncenter's API.
  const { result } = (await response.json()) as { readonly result: readonly ListedTransaction[] }
  const bodies = result.flatMap((transaction) => transaction.out_msgs.map(({ msg_data }) => msg_data.body))
  return bodies.filter((body) => Buffer.from(body, 'base64').includes(orderId)).length
}
