import { getAddress, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { type ApiAnswer, callApi, listAt, textAt } from '../harness/apiCall.js'

export const SESSION = '/dashboard/api/session'
export const KEYS = '/dashboard/api/keys'

export const newWallet = () => privateKeyToAccount(generatePrivateKey())
type Wallet = ReturnType<typeof newWallet>

/** A contract wallet that a key signs for. */
export interface SigningContract {
  readonly address: string
  readonly chainId: number
  /** What is sent in place of the signature of the key. */
  wrap?(signature: Hex): Hex
}

/** What a wallet signs to be let in by the host at `url`: the address of the key, or a contract. */
export const signedMessage = async (url: string, wallet: Wallet, contract?: SigningContract) => {
  const { body } = await callApi(url, `${SESSION}/nonce`, { method: 'POST' })
  const message = createSiweMessage({
    address: contract === undefined ? wallet.address : getAddress(contract.address),
    version: '1',
    domain: textAt(body, 'domain'),
    uri: textAt(body, 'uri'),
    chainId: contract?.chainId ?? Number(listAt(body, 'chainIds')[0]),
    nonce: textAt(body, 'nonce'),
    statement: textAt(body, 'statement'),
  })
  const signature = await wallet.signMessage({ message })
  return { message, signature: contract?.wrap?.(signature) ?? signature }
}

/** What a browser sends with each call of a session. */
export const sessionHeaders = ({ headers, body }: ApiAnswer): Readonly<Record<string, string>> => ({
  cookie: (headers.get('set-cookie') ?? '').split(';')[0] ?? '',
  'x-csrf-token': textAt(body, 'csrfToken'),
})

/** Signs in at the host at `url`. @throws Error when it is refused */
export const signIn = async (url: string, wallet: Wallet = newWallet()) => {
  const answer = await callApi(url, SESSION, { body: await signedMessage(url, wallet) })
  if (answer.status !== 200) throw new Error(`Signing in was answered with ${answer.status}: ${answer.text}`)
  return sessionHeaders(answer)
}
