import type { MatrixChain } from '../transfers/matrixChains.js'
import type { OrderPayments } from './orderPayments.js'

/** Blocks of one page. */
const PAGE = 99

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
export const paymentsOf = async (tron: MatrixChain, orderId: string): Promise<OrderPayments> => {
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
