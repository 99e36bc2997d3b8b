import type { Hex } from '@causeway/core'
import type { Page } from 'playwright-core'
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts'

/** Runs in the page before anything of it does. */
const WALLET = `({ address, chain, title }) => {
  const provider = {
    request: async ({ method, params = [] }) => {
      if (method === 'eth_requestAccounts') return [address]
      if (method === 'eth_chainId') return chain
      if (method === 'personal_sign') return window.walletSigns(params[0])
      throw Object.assign(new Error('Not this wallet'), { code: 4200 })
    },
  }
  const info = { uuid: '6f1d0a52-0000-4000-8000-000000000001', name: title, rdns: 'test.wallet', icon: 'data:image/svg+xml,' }
  const announce = () =>
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}`

/** A wallet of the browser that does as its owner would: it announces itself (EIP-6963), shows its account, and signs texts. */
export const announceWallet = async (
  page: Page,
  key: Hex,
  options: { readonly name?: string; readonly chainId?: number } = {},
): Promise<LocalAccount> => {
  const account = privateKeyToAccount(key)
  const { name = 'Test wallet', chainId = 1 } = options
  await page.exposeFunction('walletSigns', (text: Hex) => account.signMessage({ message: { raw: text } }))
  const facts = { address: account.address, chain: `0x${chainId.toString(16)}`, title: name }
  await page.addInitScript(`(${WALLET})(${JSON.stringify(facts)})`)
  return account
}
