import { randomBytes } from 'node:crypto'
import type { LocalAccount, LocalEvmChain } from '@causeway/chain-evm/testing'
import type { Hex } from '@causeway/core'
import type { QuoteEngine, RequestReader, RequestStatusView } from '@causeway/core/plugin'
import { CALLER } from './host/deployment.js'
import { ether, type LocalNetwork, NATIVE, userOf } from './localNetwork.js'
import { until } from './until.js'

/** The parts of a quote's answer that tests read. */
export interface QuoteAnswer {
  readonly requestId: Hex
  readonly steps: readonly {
    readonly id: string
    readonly items: readonly { readonly data: { readonly to: string; readonly data: Hex; readonly value: string } }[]
  }[]
  readonly details: {
    readonly currencyIn: { readonly amount: string }
    readonly currencyOut: { readonly amount: string; readonly minimumAmount: string }
  }
  readonly protocol: { readonly v2: { readonly orderId: Hex } }
}

export interface TransferRequest {
  readonly user: LocalAccount
  readonly from: number
  readonly to: number
  readonly originCurrency: string
  readonly destinationCurrency: string
  readonly amount: bigint
  readonly tradeType?: 'EXACT_INPUT' | 'EXPECTED_OUTPUT' | 'EXACT_OUTPUT'
  readonly recipient?: string
  readonly more?: Readonly<Record<string, unknown>>
}

/** Native currency from the first chain of a network to the second, 0.1 of it to an address that nobody used yet. */
export const nativeTransfer = (
  network: LocalNetwork,
  user: number,
  more: Partial<TransferRequest> = {},
): TransferRequest => ({
  user: userOf(network, user),
  from: network.chains[0].chain.chainId,
  to: network.chains[1].chain.chainId,
  originCurrency: NATIVE,
  destinationCurrency: NATIVE,
  amount: ether('0.1'),
  recipient: freshAddress(),
  ...more,
})

export const quoteTransfer = async (engine: QuoteEngine, request: TransferRequest): Promise<QuoteAnswer> => {
  const body = {
    user: request.user.address,
    originChainId: request.from,
    destinationChainId: request.to,
    originCurrency: request.originCurrency,
    destinationCurrency: request.destinationCurrency,
    amount: request.amount.toString(),
    tradeType: request.tradeType ?? 'EXACT_INPUT',
    ...(request.recipient === undefined ? {} : { recipient: request.recipient }),
    ...request.more,
  }
  // CAST: the shape is the quote schema's, checked by the plugin's own tests.
  return (await engine.quote({ body, caller: CALLER })) as QuoteAnswer
}

/** Sends every transaction of a quote in order; returns the hash of the last, the deposit. */
export const executeQuote = async (chain: LocalEvmChain, user: LocalAccount, quote: QuoteAnswer): Promise<Hex> => {
  let hash: Hex = '0x'
  for (const { data } of quote.steps.flatMap(({ items }) => items)) {
    hash = await chain.send(user, { to: data.to, data: data.data, value: BigInt(data.value) })
    await receiptOf(chain, hash)
  }
  return hash
}

export const receiptOf = async (chain: LocalEvmChain, hash: Hex): Promise<{ status: string; blockNumber: string }> =>
  until(`receipt of ${hash}`, async () =>
    chain.rpc<{ status: string; blockNumber: string } | null>('eth_getTransactionReceipt', [hash]),
  )

/** Waits for one of the statuses. */
export const waitForStatus = (
  requests: RequestReader,
  requestId: Hex,
  statuses: readonly RequestStatusView['status'][],
  milliseconds = 60_000,
): Promise<RequestStatusView> =>
  until(
    `${requestId} to be ${statuses.join(' or ')}`,
    async () => {
      const view = await requests.findStatus(requestId)
      return view !== null && statuses.includes(view.status) ? view : null
    },
    milliseconds,
  )

/** An address nobody has used. */
export const freshAddress = (): Hex => `0x${randomBytes(20).toString('hex')}`
