import type { LocalAccount } from '@causeway/chain-evm/testing'
import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { getAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect } from 'vitest'
import { callApi, valueAt } from '../harness/apiCall.js'
import { balanceOnChain } from '../harness/database/books.js'
import { startTestHost, type TestHost } from '../harness/host/host.js'
import { type LocalNetwork, type NetworkChain, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { freshAddress, receiptOf } from '../harness/transfer.js'
import { until } from '../harness/until.js'

export let network: LocalNetwork
export let database: TestDatabase
export let host: TestHost

interface StepView {
  readonly id: string
  readonly items: readonly {
    readonly data: { readonly to: string; readonly data: `0x${string}`; readonly value: string }
    readonly check?: { readonly endpoint: string }
  }[]
}

interface QuoteView {
  readonly requestId: `0x${string}`
  readonly steps: readonly StepView[]
  readonly details: {
    readonly operation: string
    readonly rate: string
    readonly currencyIn: { readonly amount: string }
    readonly currencyOut: { readonly amount: string; readonly minimumAmount: string }
    readonly route: Readonly<
      Record<'origin' | 'destination', { readonly includedSwapSources?: readonly string[] } | undefined>
    >
  }
}

export const origin = () => network.chains[0]
export const destination = () => network.chains[1]
export const unlistedOf = ({ unlisted }: NetworkChain): string => {
  if (unlisted === undefined) throw new Error('The chain has no pools')
  return unlisted
}

interface Asked {
  readonly from: NetworkChain
  readonly to: NetworkChain
  readonly give: string
  readonly get: string
  readonly amount: bigint
  readonly user?: LocalAccount
  readonly recipient?: string
  readonly more?: object
}

export const ask = async ({ from, to, give, get, amount, user = userOf(network, 0), recipient, more }: Asked) =>
  callApi(host.url, '/quote/v2', {
    apiKey: host.apiKey,
    body: {
      user: user.address,
      originChainId: from.chain.chainId,
      destinationChainId: to.chain.chainId,
      originCurrency: give,
      destinationCurrency: get,
      amount: amount.toString(),
      tradeType: 'EXACT_INPUT',
      ...(recipient === undefined ? {} : { recipient }),
      ...more,
    },
  })

/** A 503 is asked again, as a client would: a busy machine's node may answer late. */
export const quoteOf = (asked: Asked): Promise<QuoteView> =>
  until('a quote', async () => {
    const answer = await ask(asked)
    if (answer.status === 503) return null
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
    // CAST: the shape of wire.md 1.3, checked by the host against its own schema.
    return answer.body as QuoteView
  })

export const send = async ({ chain }: NetworkChain, user: LocalAccount, quote: QuoteView): Promise<string> => {
  let hash = '' as `0x${string}`
  for (const { data } of quote.steps.flatMap(({ items }) => items)) {
    hash = await chain.send(user, { to: data.to, data: data.data, value: BigInt(data.value) })
    expect((await receiptOf(chain, hash)).status).toBe('0x1')
  }
  return hash
}

interface StatusView {
  readonly status: string
  readonly inTxHashes?: readonly string[]
  readonly txHashes?: readonly string[]
  readonly failReason?: string
}

export const finished = (requestId: string, milliseconds = 60_000): Promise<StatusView> =>
  until(
    `${requestId} to finish`,
    async () => {
      const { body, status } = await callApi(host.url, `/intents/status/v3?requestId=${requestId}`)
      // CAST: checked by the status route's own tests.
      const view = body as StatusView
      return status === 200 && ['success', 'failure', 'refund'].includes(view.status) ? view : null
    },
    milliseconds,
  )

export const sourcesOf = ({ details: { route } }: QuoteView) => [
  ...(route.origin?.includedSwapSources ?? []).map((name) => `origin ${name.replace(/-v[23]$/, '')}`),
  ...(route.destination?.includedSwapSources ?? []).map((name) => `destination ${name.replace(/-v[23]$/, '')}`),
]

/** Quotes, sends, waits; returns what the recipient got beside the quote. */
export const transfer = async (asked: Asked) => {
  const user = asked.user ?? userOf(network, 0)
  const recipient = asked.recipient ?? freshAddress()
  const quote = await quoteOf({ ...asked, recipient })
  const before = await balanceOnChain(asked.to, recipient, asked.get)
  const hash = await send(asked.from, user, quote)
  const status = await finished(quote.requestId)
  return { quote, hash, status, got: (await balanceOnChain(asked.to, recipient, asked.get)) - before }
}

export const within = (got: bigint, { details: { currencyOut } }: QuoteView): void => {
  expect(got).toBeGreaterThanOrEqual(BigInt(currencyOut.minimumAmount))
  // A quote counts the whole network cost against the pool's worst price, so more than it may arrive, hardly less.
  expect(Number(got)).toBeGreaterThan(Number(currencyOut.amount) * 0.999)
  expect(Number(got)).toBeLessThan(Number(currencyOut.amount) * 1.02)
}

/** What both versions of the record say that the recipient got, and the rate of what was moved. */
export const recorded = async (requestId: string) => {
  const [v3, v2] = await Promise.all(
    ['/requests/v3', '/requests/v2'].map(async (path) => {
      const { body } = await callApi(host.url, `${path}?id=${requestId}`, { apiKey: host.apiKey })
      return valueAt(body, 'requests.0.data')
    }),
  )
  expect(valueAt(v2, 'metadata.currencyOut.amount')).toBe(valueAt(v3, 'route.actual.destination.outputCurrency.amount'))
  expect(valueAt(v2, 'metadata.rate')).toBe(valueAt(v3, 'route.actual.rate'))
  return {
    got: BigInt(String(valueAt(v3, 'route.actual.destination.outputCurrency.amount'))),
    rate: Number(valueAt(v3, 'route.actual.rate')),
    moved: BigInt(String(valueAt(v3, 'route.actual.destination.inputCurrency.amount'))),
  }
}

export const transferData = (to: string, amount: bigint): string =>
  `0xa9059cbb${to.slice(2).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`

export const report = (quote: QuoteView, chain: NetworkChain, txHash: string, at = host) =>
  callApi(at.url, '/transactions/single', {
    body: {
      requestId: quote.requestId,
      chainId: String(chain.chain.chainId),
      tx: JSON.stringify({ ...quote.steps.at(-1)?.items[0]?.data, txHash }),
    },
  })

/** The user's transaction, not yet sent. */
export const signStep = async (
  here: NetworkChain,
  user: LocalAccount,
  quote: QuoteView,
  gas = 100_000n,
): Promise<`0x${string}`> => {
  const { to, data, value } = quote.steps[0]?.items[0]?.data ?? { to: '', data: '0x', value: '0' }
  const nonce = Number(await here.chain.rpc<string>('eth_getTransactionCount', [user.address, 'latest']))
  return privateKeyToAccount(user.privateKey).signTransaction({
    chainId: here.chain.chainId,
    to: getAddress(to),
    data,
    value: BigInt(value),
    nonce,
    gas,
    maxFeePerGas: 10n ** 11n,
    maxPriorityFeePerGas: 1n,
  })
}

/** How often a reported transaction was looked at; null when it is looked at no more. */
export const looksAt = async (txHash: string): Promise<number | null> => {
  const { rows } = await database.pool.query<{ attempts: number }>(
    'select attempts from direct_transactions where tx_id = $1',
    [txHash],
  )
  return rows[0]?.attempts ?? null
}

export const lookedAt = async (txHash: string, times = 1): Promise<void> => {
  const least = ((await looksAt(txHash)) ?? 0) + times
  await until('looks at a transaction', async () => (((await looksAt(txHash)) ?? 0) >= least ? true : null))
}

export const wrappedOf = ({ swap }: NetworkChain): string => {
  if (swap === undefined) throw new Error('The chain has no swaps')
  return swap.wrappedNative.toLowerCase()
}

/** Starts two chains with Uniswap pools and a host before the tests of a file, and stops them afterwards. */
export const useSwapWorld = (): void => {
  beforeAll(async () => {
    network = await startLocalNetwork({ swaps: true })
    database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
    // Both versions of the record are looked at.
    const plugins = { 'requests-v2': { sunsetAt: '2099-01-01T00:00:00Z' } }
    host = await startTestHost({ network, database, plugins })
  })
  afterAll(async () => {
    await host?.stop()
    await database?.drop()
    await network?.close()
  })
}
