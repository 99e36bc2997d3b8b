import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { callApi, onSessionEnd, rememberCsrfToken } from './callApi.js'
import { SESSION_KEY, sessionQuery } from './sessionQuery.js'
import { type AnnouncedWallet, signText } from './wallets.js'

/** The session, which ends on the page as soon as any answer says that it has. */
export const useSession = () => {
  const client = useQueryClient()
  useEffect(
    () =>
      onSessionEnd(() => {
        rememberCsrfToken(null)
        if (client.getQueryData(SESSION_KEY) !== null) client.setQueryData(SESSION_KEY, null)
      }),
    [client],
  )
  return useQuery(sessionQuery)
}

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
