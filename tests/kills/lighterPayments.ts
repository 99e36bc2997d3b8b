import type { MatrixChain } from '../transfers/matrixChains.js'
import type { OrderPayments } from './orderPayments.js'

/** Transactions of one page. */
const PAGE = 100
/** Statuses of a transfer that moved its amount: committed, executed. */
const MOVED = [2, 3]

interface ListedTransaction {
  readonly account_index: number
  readonly status: number
  readonly info: string
}

/** Numbers of transfers with an order's id that the accounts of the solver and of the depository sent, as the exchange lists them. */
export const paymentsOf = async (lighter: MatrixChain, orderId: string): Promise<OrderPayments> => {
  const own = (await transactionsOf(lighter)).filter(
    ({ status, info }) => MOVED.includes(status) && memoOf(info) === orderId.slice(2),
  )
  const countOf = (account: string) => own.filter(({ account_index }) => `${account_index}` === account).length
  return { paid: countOf(lighter.payout.address), withdrawn: countOf(lighter.deployment.depository) }
}

const memoOf = (info: string): string => Buffer.from(JSON.parse(info).Memo ?? []).toString('hex')

const transactionsOf = async ({ local }: MatrixChain): Promise<readonly ListedTransaction[]> => {
  const found: ListedTransaction[] = []
  for (;;) {
    const response = await fetch(`${local.endpoint.http}/api/v1/txs?limit=${PAGE}&index=${found.length}`)
    if (!response.ok) throw new Error(`A list of transactions was answered with ${response.status}`)
    // CAST: the shape of the exchange's API.
    const { txs } = (await response.json()) as { readonly txs: readonly ListedTransaction[] }
    found.push(...txs)
    if (txs.length < PAGE) return found
  }
}
