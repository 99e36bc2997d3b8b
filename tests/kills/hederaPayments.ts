import type { MatrixChain } from '../transfers/matrixChains.js'
import type { OrderPayments } from './orderPayments.js'

/** A transaction as the mirror node lists it, as far as these tests read it. */
interface ListedTransaction {
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

/** Numbers of successful payments of the service that carry an order's id, and of withdrawals, as the mirror node lists them. */
export const paymentsOf = async (hedera: MatrixChain, orderId: string): Promise<OrderPayments> => {
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
  const withdrawn = own.filter(isWithdrawal).length
  return { paid: own.length - withdrawn, withdrawn }
}

const numberOf = async (chain: MatrixChain, address: string): Promise<string> =>
  (await ask<{ readonly account: string }>(chain, `/accounts/${address}?transactions=false`)).account

const ask = async <Answer>({ local }: MatrixChain, path: string): Promise<Answer> => {
  const response = await fetch(`${local.endpoint.http}/api/v1${path}`)
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}`)
  // CAST: the caller names the shape of the mirror API.
  return (await response.json()) as Answer
}
