import type { LocalAccount } from '@causeway/chain-evm/testing'
import {
  type AdaptedWallet,
  convertViemChainToRelayChain,
  createClient,
  type Execute,
  type ExecuteActionParameters,
  execute,
  type GetQuoteParameters,
  type ProgressData,
  type RelayChain,
  type RelayClient,
} from '@relayprotocol/relay-sdk'
import { type Chain, createWalletClient, defineChain, http, type WalletClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { NetworkChain } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'

/** A chain as an application describes it to its wallet. */
export const viemChainOf = ({ slug, chain }: NetworkChain): Chain =>
  defineChain({
    id: chain.chainId,
    name: `Test ${slug}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [chain.rpcUrl], webSocket: [chain.wsUrl] } },
  })

/** The chain as the client is configured with, without asking the service. */
export const relayChainOf = (item: NetworkChain): RelayChain => convertViemChainToRelayChain(viemChainOf(item))

export const walletOn = (item: NetworkChain, user: LocalAccount): WalletClient =>
  createWalletClient({
    account: privateKeyToAccount(user.privateKey),
    chain: viemChainOf(item),
    transport: http(item.chain.rpcUrl),
  })

export interface ClientOptions {
  readonly baseApiUrl: string
  readonly chains?: readonly RelayChain[]
  readonly source?: string
  readonly apiKey?: string
  /** Follow requests by the websocket there; without it by asking. */
  readonly websocketUrl?: string
}

/** Points the client at a service. There is one in a process; what an earlier call set and this one does not is taken back. */
export const pointClientAt = ({ baseApiUrl, chains, source, apiKey, websocketUrl }: ClientOptions): RelayClient => {
  const options = {
    baseApiUrl,
    pollingInterval: 25,
    maxPollingAttemptsBeforeTimeout: 1_200,
    confirmationPollingInterval: 25,
    websocket: websocketUrl === undefined ? { enabled: false } : { enabled: true, url: websocketUrl },
    ...(chains === undefined ? {} : { chains: [...chains] }),
  }
  createClient(options)
  // The first call ignores confirmationPollingInterval, the second takes it.
  const client = createClient(options)
  delete client.source
  delete client.apiKey
  return createClient({
    ...options,
    ...(source === undefined ? {} : { source }),
    ...(apiKey === undefined ? {} : { apiKey }),
  })
}

/** Parameters of a quote that pays a fresh recipient. */
export const routeOf = (
  from: NetworkChain,
  to: NetworkChain,
  route: { readonly currency: string; readonly toCurrency: string; readonly amount: bigint },
  wallet: WalletClient | AdaptedWallet,
): GetQuoteParameters & { readonly recipient: string } => ({
  chainId: from.chain.chainId,
  currency: route.currency,
  toChainId: to.chain.chainId,
  toCurrency: route.toCurrency,
  amount: route.amount.toString(),
  tradeType: 'EXACT_INPUT',
  recipient: freshAddress(),
  wallet,
})

/** How an execution went, as its callbacks told. */
export interface Execution {
  /** `step: status/progressState/checkStatus` of the current item, each change once. */
  readonly states: readonly string[]
  /** Every callback, with the states of all items as they were at its time. */
  readonly updates: readonly ProgressData[]
  /** Null when the promise was rejected. */
  readonly result: Execute | null
  readonly error: unknown
}

const stateOf = ({ currentStep, currentStepItem, steps }: ProgressData): string => {
  const step = currentStep ?? steps.at(-1)
  const item = currentStepItem ?? step?.items.at(-1)
  return `${step?.id}: ${item?.status}/${item?.progressState ?? '-'}/${item?.checkStatus ?? '-'}`
}

/** Executes a quote to its end; never rejects. */
export const executeToEnd = async (
  parameters: Omit<ExecuteActionParameters, 'onProgress'>,
  onState: (state: string) => void = () => undefined,
): Promise<Execution> => {
  const states: string[] = []
  const updates: ProgressData[] = []
  const onProgress = (data: ProgressData): void => {
    // The client changes its steps in place.
    updates.push(structuredClone({ ...data, error: undefined }))
    const state = stateOf(data)
    if (states.at(-1) === state) return
    states.push(state)
    onState(state)
  }
  try {
    const { data } = await execute({ ...parameters, onProgress })
    return { states, updates, result: data, error: null }
  } catch (error) {
    return { states, updates, result: null, error }
  }
}
