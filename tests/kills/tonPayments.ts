import type { MatrixChain } from '../transfers/matrixChains.js'
import type { OrderPayments } from './orderPayments.js'

/** Numbers of messages with an order's id that the wallets of the solver and of the depository sent, as a node lists them. */
export const paymentsOf = async (ton: MatrixChain, orderId: string): Promise<OrderPayments> => {
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
