import { getAddress, numberToHex, stringToHex } from 'viem/utils'
import { texts } from '../texts/texts.js'
import type { AnnouncedWallet, WalletProvider } from './wallets.js'

/** What the owner of a wallet, or the wallet, said no to. */
export class WalletRefused extends Error {
  override readonly name = 'WalletRefused'
}

/** Asks a wallet; what it or its owner refuses is told in words. @throws WalletRefused */
export const asked = async (
  provider: WalletProvider,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> => {
  try {
    return await provider.request({ method, params })
  } catch (error) {
    const code: unknown = Reflect.get(Object(error), 'code')
    throw new WalletRefused(code === 4001 ? texts.wallets.declined : texts.wallets.failed, { cause: error })
  }
}

/** The account a wallet is opened for, with its checksum. @throws WalletRefused */
export const accountOf = async ({ provider }: AnnouncedWallet): Promise<`0x${string}`> => {
  const accounts = await asked(provider, 'eth_requestAccounts')
  const [first] = Array.isArray(accounts) ? accounts : []
  if (typeof first !== 'string') throw new WalletRefused(texts.wallets.noAccount)
  return getAddress(first)
}

/** Has the owner of a wallet sign a text made for its account and chain. @throws WalletRefused */
export const signText = async (
  wallet: AnnouncedWallet,
  textFor: (account: string, chainId: number) => string,
): Promise<{ readonly message: string; readonly signature: string }> => {
  const account = await accountOf(wallet)
  const chainId = Number(await asked(wallet.provider, 'eth_chainId'))
  const message = textFor(account, chainId)
  const signature = await asked(wallet.provider, 'personal_sign', [stringToHex(message), account])
  if (typeof signature !== 'string') throw new WalletRefused(texts.wallets.failed)
  return { message, signature }
}

/** Has the owner of a wallet sign bytes as a message of its account (EIP-191); gives the signature. @throws WalletRefused */
export const signBytes = async (wallet: AnnouncedWallet, account: string, bytes: string): Promise<string> => {
  const signature = await asked(wallet.provider, 'personal_sign', [bytes, account])
  if (typeof signature !== 'string') throw new WalletRefused(texts.wallets.failed)
  return signature
}

/** A transaction of a quote's step, as the API gives it. */
export interface WalletTransaction {
  readonly to: string
  readonly data?: string
  readonly value?: string
  readonly chainId: number
}

/** Has the owner of a wallet send a transaction; gives its hash. @throws WalletRefused */
export const sendTransaction = async (
  wallet: AnnouncedWallet,
  { to, data = '0x', value = '0', chainId }: WalletTransaction,
): Promise<string> => {
  const from = await accountOf(wallet)
  await asked(wallet.provider, 'wallet_switchEthereumChain', [{ chainId: numberToHex(chainId) }])
  const call = { from, to, data, value: numberToHex(BigInt(value)) }
  const hash = await asked(wallet.provider, 'eth_sendTransaction', [call])
  if (typeof hash !== 'string') throw new WalletRefused(texts.wallets.failed)
  return hash
}
