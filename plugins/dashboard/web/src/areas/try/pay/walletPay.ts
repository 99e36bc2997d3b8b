import { callApi, withQuery } from '../../../api/callApi.js'
import { sendTransaction, type WalletTransaction } from '../../../api/walletCalls.js'
import { goToChain, signTypedData, type TypedData, type WalletChain, waitForBlock } from '../../../api/walletChains.js'
import type { AnnouncedWallet } from '../../../api/wallets.js'
import type { Quote } from '../quote/quote.js'

/** What became of the steps of a quote. */
export interface Paid {
  readonly transactionId: string | null
  readonly said: string | null
}

interface ListedChain {
  readonly id: number
  readonly displayName: string
  readonly httpRpcUrl: string
  readonly currency: { readonly name: string; readonly symbol: string; readonly decimals: number }
}

const chainOf = async (chainId: number): Promise<WalletChain | null> => {
  const { chains } = await callApi<{ chains: readonly ListedChain[] }>('/chains')
  const found = chains.find(({ id }) => id === chainId)
  if (found === undefined) return null
  const { id, displayName, httpRpcUrl, currency } = found
  const { name, symbol, decimals } = currency
  // Wallets refuse what they do not know.
  return { id, name: displayName, rpcUrl: httpRpcUrl, currency: { name, symbol, decimals } }
}

interface SignatureItem {
  readonly sign: TypedData
  readonly post: { readonly endpoint: string; readonly body: unknown }
}

const signAndPost = async (
  wallet: AnnouncedWallet,
  account: string,
  { sign, post }: SignatureItem,
): Promise<string> => {
  const signature = await signTypedData(wallet, account, sign)
  const { message = '' } = await callApi<{ message?: string }>(withQuery(post.endpoint, { signature }), {
    method: 'POST',
    body: post.body,
  })
  return message
}

/** Does with a wallet of the browser what its steps ask for, one after the other. @throws WalletRefused, ApiFailure */
export const payWithWallet = async (wallet: AnnouncedWallet, { steps, details }: Quote): Promise<Paid> => {
  const chain = await chainOf(details.currencyIn.currency.chainId)
  if (chain !== null) await goToChain(wallet, chain)
  let paid: Paid = { transactionId: null, said: null }
  for (const { kind, items } of steps) {
    for (const { data } of items) {
      if (kind === 'signature') {
        // CAST: the service's own step (wire.md A.4).
        paid = { ...paid, said: await signAndPost(wallet, details.sender, data as SignatureItem) }
        continue
      }
      // CAST: a step of a quote on an EVM chain (wire.md A.5).
      const transactionId = await sendTransaction(wallet, data as WalletTransaction)
      paid = { ...paid, transactionId }
      await waitForBlock(wallet, transactionId)
    }
  }
  return paid
}
