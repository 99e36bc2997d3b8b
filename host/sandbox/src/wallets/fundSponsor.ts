import { topupOrderId } from '@causeway/core/plugin'
import { createWalletClient, defineChain, encodeFunctionData, erc20Abi, type Hex, http, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { SandboxError } from '../sandboxError.js'
import type { RecordedChain, SandboxAccount } from '../state/sandboxState.js'
import { signText } from './walletSignature.js'

const PATH = '/integrators/funding-wallet'

/** Links the wallet of an account to the integrator of the key, as an integrator does it: the service asks, the wallet signs. @throws SandboxError */
const linkSponsor = async (
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string },
  { address: wallet, privateKey }: SandboxAccount,
): Promise<void> => {
  const call = async (method: string, path: string, body: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', 'x-api-key': apiKey }
    const response = await fetch(`${baseUrl}${path}`, { method, headers, body: JSON.stringify(body) })
    const text = await response.text()
    if (!response.ok) throw new SandboxError(`The sponsor's wallet could not be linked: ${response.status} ${text}`)
    return JSON.parse(text)
  }
  // CAST: the shape is the route's own.
  const asked = (await call('POST', `${PATH}/message`, { wallet })) as { message: string; nonce: string }
  const signature = await signText(privateKey, asked.message)
  await call('PUT', PATH, { wallet, nonce: asked.nonce, signature })
}

/** Whole units of the currency of balances. */
const TOPUP = '1000'

/**
 * Pays into the balance of a wallet as anybody may: a plain transfer to the depository, the marker of a top-up behind its calldata
 * (wire.md 4.12). It is balance once it is settled, some blocks later.
 */
const topUp = async (
  chain: RecordedChain,
  { address, privateKey }: SandboxAccount,
  currency: string,
): Promise<void> => {
  const decimals = chain.currencies.find((item) => item.address === currency)?.decimals ?? 0
  const args = [chain.depository as Hex, parseUnits(TOPUP, decimals)] as const
  const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const wallet = createWalletClient({
    // CAST: accounts of the sandbox's EVM chains have keys in hex, its currencies there addresses.
    account: privateKeyToAccount(privateKey as Hex),
    chain: defineChain({
      id: chain.id,
      name: chain.name,
      nativeCurrency,
      rpcUrls: { default: { http: [chain.rpcUrl] } },
    }),
    transport: http(chain.rpcUrl),
  })
  await wallet.sendTransaction({ to: currency as Hex, data: `${transfer}${topupOrderId(address).slice(2)}` })
}

export interface SponsorFunding {
  readonly baseUrl: string
  readonly apiKey: string
  /** Where balances are kept, and in which currency. */
  readonly chain: RecordedChain
  readonly currency: string
  readonly account: SandboxAccount
}

/** Links the wallet of an account to the integrator of the demo key, and pays into its balance. @throws SandboxError */
export const fundSponsor = async ({ chain, currency, account, ...service }: SponsorFunding): Promise<void> => {
  await linkSponsor(service, account)
  await topUp(chain, account, currency)
}
