import type { BalanceQuery, Balances } from '@causeway/core/chain'
import { strangeAnswer } from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import type { Asked } from '../rpc/tonApi.js'
import { askAccount, askNewest } from './accounts.js'
import { type JettonWallets, runMethod } from './jettonWallets.js'

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
  const answer =
    status === 'active' ? await runMethod(asked, { address: wallet, method: 'get_wallet_data', height }) : null
  const [balance] = answer ?? []
  if (balance?.type !== 'int') return null
  if (balance.value < 0n) throw strangeAnswer('a balance below zero')
  return balance.value
}
