import type { LocalAccount } from '@causeway/chain-evm/testing'
import type { Hex } from '@causeway/core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type ApiAnswer, callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import type { NetworkChain } from '../harness/localNetwork.js'
import { type HttpWorld, startHttpWorld } from '../http/httpWorld.js'

/** A host that sends for users: EIP-3009 dollars on the first chain, EIP-2612 ones on the second. */
export const startGaslessWorld = (plugins: Readonly<Record<string, object>> = {}): Promise<HttpWorld> =>
  startHttpWorld({
    plugins: () => ({ gasless: {}, ...plugins }),
    balances: ({ chains: [origin] }) => ({ chainId: origin.chain.chainId, currency: origin.usdc }),
    dollars: ['authorization', 'permit'],
  })

/** A new account without any gas that holds so much of a token. */
export const gaslessUser = async (
  { chain }: NetworkChain,
  token: string,
  amount: bigint,
): Promise<LocalAccount & { readonly address: Hex }> => {
  const privateKey = generatePrivateKey()
  const { address } = privateKeyToAccount(privateKey)
  await chain.fund(address, amount, token)
  return { address, privateKey }
}

/** The step of a quote that is signed. @throws Error when it has none */
export const signatureStep = (answer: unknown): unknown => {
  const step = listAt(answer, 'steps').find((each) => valueAt(each, 'kind') === 'signature')
  if (step === undefined) throw new Error(`Nothing is to be signed: ${JSON.stringify(answer)}`)
  return step
}

/** Signs what a step says, as a wallet does. */
export const signStep = async (step: unknown, { privateKey }: LocalAccount): Promise<Hex> => {
  // CAST: typed data as the service wrote it.
  const sign = valueAt(step, 'items.0.data.sign') as Record<'domain' | 'types' | 'value', Record<string, never>> & {
    readonly primaryType: string
  }
  const { domain, types, primaryType, value: message } = sign
  // CAST: a key of the local chains.
  return privateKeyToAccount(privateKey as Hex).signTypedData({ domain, types, primaryType, message })
}

/** Hands a signature in as the step says. */
export const postSignature = (
  { host }: HttpWorld,
  step: unknown,
  signature: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<ApiAnswer> =>
  callApi(host.url, `${textAt(step, 'items.0.data.post.endpoint')}?signature=${signature}`, {
    body: { ...Object(valueAt(step, 'items.0.data.post.body')), ...more },
  })
