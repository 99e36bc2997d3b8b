import { numberToHex, serializeTypedData } from 'viem/utils'
import { texts } from '../texts/texts.js'
import { asked, WalletRefused } from './walletCalls.js'
import type { AnnouncedWallet } from './wallets.js'

/** What a wallet is told of a chain that it may not know. */
export interface WalletChain {
  readonly id: number
  readonly name: string
  readonly rpcUrl: string
  readonly currency: { readonly name: string; readonly symbol: string; readonly decimals: number }
}

const UNKNOWN_CHAIN = 4902

const codeOf = (error: unknown): unknown => Reflect.get(Object(Reflect.get(Object(error), 'cause')), 'code')

/** Has a wallet go to a chain; one that does not know it is asked to add it. @throws WalletRefused */
export const goToChain = async (
  { provider }: AnnouncedWallet,
  { id, name, rpcUrl, currency }: WalletChain,
): Promise<void> => {
  const chainId = numberToHex(id)
  try {
    await asked(provider, 'wallet_switchEthereumChain', [{ chainId }])
  } catch (error) {
    if (codeOf(error) !== UNKNOWN_CHAIN) throw error
    const added = { chainId, chainName: name, rpcUrls: [rpcUrl], nativeCurrency: currency }
    await asked(provider, 'wallet_addEthereumChain', [added])
    await asked(provider, 'wallet_switchEthereumChain', [{ chainId }])
  }
}

const LOOK_MS = 1_000
const LOOKS = 120

/** Waits until a block has a transaction. @throws WalletRefused where it failed there, or none took it */
export const waitForBlock = async ({ provider }: AnnouncedWallet, hash: string): Promise<void> => {
  for (let look = 0; look < LOOKS; look += 1) {
    const receipt = await asked(provider, 'eth_getTransactionReceipt', [hash])
    const status: unknown = Reflect.get(Object(receipt), 'status')
    if (status === '0x0') throw new WalletRefused(texts.wallets.reverted)
    if (status !== undefined && status !== null) return
    await new Promise((done) => setTimeout(done, LOOK_MS))
  }
  throw new WalletRefused(texts.wallets.notIncluded)
}

/** Typed data (EIP-712) as a step of a quote has it. */
export interface TypedData {
  readonly domain: Readonly<Record<string, unknown>>
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>
  readonly primaryType: string
  readonly value: Readonly<Record<string, unknown>>
}

const DOMAIN_FIELDS = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
] as const

/** Has the owner of a wallet sign typed data. @throws WalletRefused */
export const signTypedData = async (
  { provider }: AnnouncedWallet,
  account: string,
  { domain, types, primaryType, value }: TypedData,
): Promise<string> => {
  const withDomain = { EIP712Domain: DOMAIN_FIELDS.filter(({ name }) => domain[name] !== undefined), ...types }
  // CAST: of any shape; the wallet holds the message against the types.
  const text = serializeTypedData({ domain, types: withDomain, primaryType, message: value } as never)
  const signature = await asked(provider, 'eth_signTypedData_v4', [account, text])
  if (typeof signature !== 'string') throw new WalletRefused(texts.wallets.failed)
  return signature
}
