import type { HostNetwork } from '../harness/host/hostProcess.js'
import { type Cell, loadKinds, type MatrixKind } from '../transfers/matrixCells.js'
import { closeChains, type MatrixChain, networkOf, startChains } from '../transfers/matrixChains.js'
import type { UserNetwork } from '../transfers/userClient.js'

/** An EVM chain and a Hedera network with the same assets on both, and what a host needs to serve them. */
export interface HederaNetwork extends UserNetwork {
  readonly evm: MatrixChain
  readonly hedera: MatrixChain
  close(): Promise<void>
}

/** A transaction as the mirror node lists it, as far as these tests read it. */
export interface ListedTransaction {
  readonly transaction_id: string
  readonly result: string
  readonly memo_base64: string | null
  readonly transfers: readonly Move[]
  readonly token_transfers: readonly Move[]
}

interface Move {
  readonly account: string
  readonly amount: number
}

const USERS = 2
const KINDS = ['evm', 'hederavm']

/** Starts both chains, each with two users. */
export const startHederaNetwork = async (): Promise<HederaNetwork> => {
  const kinds = (await loadKinds()).filter(({ testing }) => KINDS.includes(testing.vmType))
  const chains = await startChains(kinds, kinds.flatMap(usersOf), { users: 0, of: [] })
  const [evm, hedera] = chains
  if (evm === undefined || hedera === undefined) throw new Error('There are no two chains')
  const host: HostNetwork = networkOf(kinds, chains)
  return {
    ...{ evm, hedera, host },
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

/** Successful payments of the service that carry an order's id, as the mirror node lists them. */
export const paymentsOf = async (
  { hedera }: HederaNetwork,
  orderId: string,
): Promise<{ readonly paid: readonly ListedTransaction[]; readonly withdrawn: readonly ListedTransaction[] }> => {
  const [solver, depository] = await Promise.all([
    numberOf(hedera, hedera.payout.address),
    numberOf(hedera, hedera.deployment.depository),
  ])
  const listed = await ask<{ readonly transactions: readonly ListedTransaction[] }>(
    hedera,
    `/transactions?account.id=${solver}&order=desc&limit=100`,
  )
  const own = listed.transactions.filter(
    ({ transaction_id: id, result, memo_base64: memo }) =>
      id.startsWith(`${solver}-`) &&
      result === 'SUCCESS' &&
      Buffer.from(memo ?? '', 'base64')
        .toString()
        .startsWith(orderId),
  )
  const isWithdrawal = ({ transfers, token_transfers: tokens }: ListedTransaction) =>
    [...transfers, ...tokens].some(({ account, amount }) => account === depository && amount < 0)
  return { paid: own.filter((one) => !isWithdrawal(one)), withdrawn: own.filter(isWithdrawal) }
}

const numberOf = async (chain: MatrixChain, address: string): Promise<string> =>
  (await ask<{ readonly account: string }>(chain, `/accounts/${address}?transactions=false`)).account

const ask = async <Answer>({ local }: MatrixChain, path: string): Promise<Answer> => {
  const response = await fetch(`${local.endpoint.http}/api/v1${path}`)
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}`)
  // CAST: the caller names the shape of the mirror API.
  return (await response.json()) as Answer
}
