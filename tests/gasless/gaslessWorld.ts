import type { LocalAccount } from '@causeway/chain-evm/testing'
import { depositoryAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { type Log, parseEventLogs } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type ApiAnswer, callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import type { TestHost } from '../harness/host/host.js'
import type { NetworkChain } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'
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
  { host }: { readonly host: Pick<TestHost, 'url'> },
  step: unknown,
  signature: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<ApiAnswer> =>
  callApi(host.url, `${textAt(step, 'items.0.data.post.endpoint')}?signature=${signature}`, {
    body: { ...Object(valueAt(step, 'items.0.data.post.body')), ...more },
  })

/** A quote of a new account without gas, and what that has signed for it. */
export interface SignedQuote {
  readonly user: LocalAccount & { readonly address: Hex }
  readonly recipient: Hex
  readonly answer: unknown
  readonly step: unknown
  readonly orderId: Hex
  readonly signature: Hex
}

/** 25 dollars, by the chain they are sent from. */
export const DOLLARS = [25_000_000n, 25n * 10n ** 18n] as const

/** The body of a quote of 25 dollars by signature from one chain to the other: with EIP-3009 from the first, with EIP-2612 from the second. */
export const permitBody = (
  { network: { chains } }: Pick<HttpWorld, 'network'>,
  from: 0 | 1,
  more: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => {
  const [origin, destination] = from === 0 ? chains : ([chains[1], chains[0]] as const)
  return {
    recipient: freshAddress(),
    originChainId: origin.chain.chainId,
    destinationChainId: destination.chain.chainId,
    originCurrency: origin.usdc,
    destinationCurrency: destination.usdc,
    amount: DOLLARS[from].toString(),
    tradeType: 'EXACT_INPUT',
    usePermit: true,
    ...more,
  }
}

/** Asks for a quote of a new account, or of the one that is given, and signs it. */
export const signedQuote = async (
  world: Pick<HttpWorld, 'network'> & { readonly host: Pick<TestHost, 'url'> },
  options: {
    readonly from?: 0 | 1
    readonly user?: SignedQuote['user']
    readonly more?: Readonly<Record<string, unknown>>
  } = {},
): Promise<SignedQuote> => {
  const { from = 0, more = {} } = options
  const origin = world.network.chains[from]
  const user = options.user ?? (await gaslessUser(origin, origin.usdc, DOLLARS[from]))
  const recipient = freshAddress()
  const body = permitBody(world, from, { user: user.address, recipient, ...more })
  const { status, body: answer, text } = await callApi(world.host.url, '/quote', { body })
  if (status !== 200) throw new Error(`Not quoted: ${text}`)
  const step = signatureStep(answer)
  // CAST: an order id is hex.
  const orderId = textAt(answer, 'protocol.v2.orderId') as Hex
  return { user, recipient, answer, step, orderId, signature: await signStep(step, user) }
}

/** What the depository of a chain was told under an order id, in the order of blocks. */
export const depositsUnder = async (
  { chain, depository }: NetworkChain,
  orderId: Hex,
): Promise<readonly { readonly from: string; readonly amount: bigint; readonly txId: Hex }[]> => {
  const logs = await chain.rpc<Log[]>('eth_getLogs', [{ address: depository, fromBlock: '0x0', toBlock: 'latest' }])
  return parseEventLogs({ abi: depositoryAbi, logs, eventName: 'RelayErc20Deposit' })
    .filter(({ args }) => args.id === orderId)
    .map(({ args, transactionHash }) => ({ from: args.from.toLowerCase(), amount: args.amount, txId: transactionHash }))
}

/** Sends with a price that comes first in the next block. */
export const sendFirst = async ({ chain }: NetworkChain, privateKey: Hex, to: string, data: Hex): Promise<Hex> => {
  const account = privateKeyToAccount(privateKey)
  const nonce = Number(await chain.rpc<string>('eth_getTransactionCount', [account.address, 'pending']))
  const fees = { maxFeePerGas: 900_000_000_000n, maxPriorityFeePerGas: 800_000_000_000n }
  // CAST: an address of the local chains.
  const request = { chainId: chain.chainId, nonce, to: to as Hex, data, gas: 500_000n, ...fees }
  return chain.rpc<Hex>('eth_sendRawTransaction', [await account.signTransaction({ type: 'eip1559', ...request })])
}
