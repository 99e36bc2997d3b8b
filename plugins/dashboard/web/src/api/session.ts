import { callApi, rememberCsrfToken } from './callApi.js'
import type { AnnouncedWallet } from './wallets.js'

interface Nonce {
  readonly nonce: string
  readonly domain: string
  readonly uri: string
  readonly chainIds: readonly number[]
  readonly statement: string
}

/** The text of EIP-4361 that a wallet shows to its owner. */
const signInText = (wallet: string, { nonce, domain, uri, chainIds, statement }: Nonce, chainId: number): string =>
  [
    `${domain} wants you to sign in with your Ethereum account:`,
    wallet,
    '',
    statement,
    '',
    `URI: ${uri}`,
    'Version: 1',
    `Chain ID: ${chainIds.includes(chainId) ? chainId : (chainIds[0] ?? 1)}`,
    `Nonce: ${nonce}`,
    `Issued At: ${new Date().toISOString()}`,
  ].join('\n')

/** Asks a wallet of the browser to sign, and opens a session with that. @throws ApiFailure, WalletRefused */
export const signInWithWallet = async (wallet: AnnouncedWallet): Promise<void> => {
  const asked = await callApi<Nonce>('/dashboard/api/session/nonce', { method: 'POST' })
  // What makes and checks texts for wallets is loaded when one is used.
  const { signText } = await import('./walletCalls.js')
  const { message, signature } = await signText(wallet, (account, chainId) => signInText(account, asked, chainId))
  await open('/dashboard/api/session', { message, signature })
}

/** @throws ApiFailure */
export const signInWithToken = (token: string): Promise<void> => open('/dashboard/api/session/operator', { token })

const open = async (path: string, body: unknown): Promise<void> => {
  const { csrfToken } = await callApi<{ csrfToken: string }>(path, { method: 'POST', body })
  rememberCsrfToken(csrfToken)
}

export const signOut = async (): Promise<void> => {
  await callApi('/dashboard/api/session', { method: 'DELETE' })
  rememberCsrfToken(null)
}
