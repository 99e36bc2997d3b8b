import type { BalanceQuery, Balances } from '@causeway/core/chain'
import { strangeAnswer } from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import type { Asked } from '../rpc/tonApi.js'
import { askAccount, askNewest } from './accounts.js'
import { askWalletBalance, type JettonWallets } from './jettonWallets.js'

const AT_ONCE = 20

/** Balances after one masterchain block. @throws ServiceError when the node does not answer */
export const readBalances = async (
  asked: Asked,
  queries: readonly BalanceQuery[],
  wallets: JettonWallets,
): Promise<Balances> => {
  const { height } = await askNewest(asked)
  const amounts: (bigint | null)[] = []
  for (let from = 0; from < queries.length; from += AT_ONCE) {
    const part = queries.slice(from, from + AT_ONCE)
    amounts.push(...(await Promise.all(part.map((query) => readBalance(asked, query, { wallets, height })))))
  }
  return { amounts, height }
}

/** Null where the jetton does not tell. */
const readBalance = async (
  asked: Asked,
  { address, currency }: BalanceQuery,
  { wallets, height }: { readonly wallets: JettonWallets; readonly height: bigint },
): Promise<bigint | null> => {
  if (currency === NATIVE) return (await askAccount(asked, address, height)).balance
  const wallet = await wallets.walletOf(asked, currency, address)
  if (wallet === null) return null
  const { status } = await askAccount(asked, wallet, height)
  if (status === 'uninitialized') return 0n
  const found = status === 'active' ? await askWalletBalance(asked, wallet, height) : null
  if (found !== null && found < 0n) throw strangeAnswer('a balance below zero')
  return found
}
