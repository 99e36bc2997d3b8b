import { ServiceError } from '@causeway/core'
import type { Signer } from '@causeway/core/chain'
import { evmAddressOfKey, RestClient } from '@causeway/core/chain-kit'
import { LighterSigner } from '../lane/lighterSigner.js'
import { signText, word } from '../lane/signTransfer.js'
import { askAccount, askNextNonce } from '../rpc/accounts.js'
import { askedOf, EXPLAINED, readAnswer } from '../rpc/lighterNode.js'

/** Type of the transaction that registers an API key. */
const CHANGE_KEY = '8'
const TIMEOUT_MS = 15_000

export interface ApiKeyRequest {
  /** API server of the exchange. */
  readonly url: string
  /** Chain id inside signatures: 304 on the main network, 300 on the test network. */
  readonly signingChainId: number
  /** Index of the account. */
  readonly account: string
  readonly apiKeyIndex: number
  /** The Ethereum key that owns the account. */
  readonly owner: Signer
}

/** A new API key. */
export interface RegisteredApiKey {
  /** In hex with `0x`; the value of the variable that `apiKeyVariable` names. */
  readonly privateKey: string
  readonly publicKey: string
  /** Hash of the registration. */
  readonly txId: string
}

/**
 * Makes an API key and registers it in a slot of an account, in place of the key that the slot holds.
 * @throws ServiceError when the exchange does not answer or refuses, also where the key does not own the account
 */
export const registerApiKey = async (request: ApiKeyRequest): Promise<RegisteredApiKey> => {
  const { url, signingChainId: chainId, account, apiKeyIndex, owner } = request
  const [rest, signer] = [new RestClient({ url, timeoutMs: TIMEOUT_MS }), new LighterSigner()]
  try {
    const asked = askedOf(rest, new AbortController().signal)
    const state = await askAccount(asked, account)
    if (state?.owner !== evmAddressOfKey(owner.publicKey)) throw refused('The key at hand does not own the account.')
    const { privateKey, publicKey } = await signer.newKey()
    const nonce = await askNextNonce(asked, { account, apiKeyIndex })
    const key = { privateKey, chainId, apiKeyIndex, accountIndex: Number(account) }
    const { txInfo, txHash } = await signer.changeKey(key, { publicKey, nonce: Number(nonce) })
    const L1Sig = await signText(registrationText(request, { publicKey, nonce }), owner)
    const form = { tx_type: CHANGE_KEY, tx_info: JSON.stringify({ ...JSON.parse(txInfo), L1Sig }) }
    const answer = readAnswer(await rest.postForm('/api/v1/sendTx', form, EXPLAINED, { repeatable: false }))
    if ('refusal' in answer)
      throw refused(`The exchange refused the API key (${answer.refusal.message.slice(0, 100)}).`)
    return { privateKey, publicKey, txId: txHash }
  } finally {
    rest.close()
    await signer.close()
  }
}

const refused = (message: string): ServiceError => new ServiceError('INVALID_REQUEST', message)

/** The text by which an owner approves an API key. */
const registrationText = (
  { account, apiKeyIndex }: Pick<ApiKeyRequest, 'account' | 'apiKeyIndex'>,
  { publicKey, nonce }: { readonly publicKey: string; readonly nonce: bigint },
): string =>
  [
    'Register Lighter Account\n',
    `pubkey: ${publicKey}`,
    `nonce: ${word(nonce)}`,
    `account index: ${word(account)}`,
    `api key index: ${word(apiKeyIndex)}`,
    'Only sign this message for a trusted client!',
  ].join('\n')
