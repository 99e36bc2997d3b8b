import type { LocalAccount } from '@causeway/chain-evm/testing'
import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { getAddress, keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, valueAt } from '../harness/apiCall.js'
import { balanceOnChain, findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { startTestHost, type TestHost } from '../harness/host/host.js'
import {
  ether,
  type LocalNetwork,
  NATIVE,
  type NetworkChain,
  startLocalNetwork,
  userOf,
} from '../harness/localNetwork.js'
import { freshAddress, receiptOf } from '../harness/transfer.js'
import { until } from '../harness/until.js'

let network: LocalNetwork
let database: TestDatabase
let host: TestHost

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

const origin = () => network.chains[0]
const destination = () => network.chains[1]
const unlistedOf = ({ unlisted }: NetworkChain): string => {
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

const ask = async ({ from, to, give, get, amount, user = userOf(network, 0), recipient, more }: Asked) =>
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
const quoteOf = (asked: Asked): Promise<QuoteView> =>
  until('a quote', async () => {
    const answer = await ask(asked)
    if (answer.status === 503) return null
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
    // CAST: the shape of wire.md 1.3, checked by the host against its own schema.
    return answer.body as QuoteView
  })

const send = async ({ chain }: NetworkChain, user: LocalAccount, quote: QuoteView): Promise<string> => {
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

const finished = (requestId: string, milliseconds = 60_000): Promise<StatusView> =>
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

const sourcesOf = ({ details: { route } }: QuoteView) => [
  ...(route.origin?.includedSwapSources ?? []).map((name) => `origin ${name.replace(/-v[23]$/, '')}`),
  ...(route.destination?.includedSwapSources ?? []).map((name) => `destination ${name.replace(/-v[23]$/, '')}`),
]

/** Quotes, sends, waits; returns what the recipient got beside the quote. */
const transfer = async (asked: Asked) => {
  const user = asked.user ?? userOf(network, 0)
  const recipient = asked.recipient ?? freshAddress()
  const quote = await quoteOf({ ...asked, recipient })
  const before = await balanceOnChain(asked.to, recipient, asked.get)
  const hash = await send(asked.from, user, quote)
  const status = await finished(quote.requestId)
  return { quote, hash, status, got: (await balanceOnChain(asked.to, recipient, asked.get)) - before }
}

const within = (got: bigint, { details: { currencyOut } }: QuoteView): void => {
  expect(got).toBeGreaterThanOrEqual(BigInt(currencyOut.minimumAmount))
  // A quote counts the whole network cost against the pool's worst price, so more than it may arrive, hardly less.
  expect(Number(got)).toBeGreaterThan(Number(currencyOut.amount) * 0.999)
  expect(Number(got)).toBeLessThan(Number(currencyOut.amount) * 1.02)
}

describe('swaps across chains on real Uniswap pools (wire.md 1.2, D.5)', () => {
  it('on the origin: a token nobody lists becomes USDC elsewhere', async () => {
    const asked = { from: origin(), to: destination(), give: unlistedOf(origin()), get: destination().usdc }
    const { quote, status, got } = await transfer({ ...asked, amount: ether('50') })
    expect(status).toMatchObject({ status: 'success', failReason: 'N/A' })
    expect(sourcesOf(quote)).toEqual(['origin uniswap'])
    within(got, quote)
  })

  it('on the destination: USDC becomes a token nobody lists', async () => {
    const asked = { from: origin(), to: destination(), give: origin().usdc, get: unlistedOf(destination()) }
    const { quote, status, got } = await transfer({ ...asked, amount: 200_000_000n })
    expect(status.status).toBe('success')
    expect(sourcesOf(quote)).toEqual(['destination uniswap'])
    within(got, quote)
  })

  it('on both', async () => {
    const asked = { from: origin(), to: destination(), give: unlistedOf(origin()), get: unlistedOf(destination()) }
    const { quote, status, got } = await transfer({ ...asked, amount: ether('40') })
    expect(status.status).toBe('success')
    expect(sourcesOf(quote)).toEqual(['origin uniswap', 'destination uniswap'])
    within(got, quote)
  })

  it('two assets the solver holds: native currency for USDC, out of the inventory or a pool, whatever gives more', async () => {
    const asked = { from: destination(), to: origin(), give: NATIVE, get: origin().usdc }
    const { quote, status, got } = await transfer({ ...asked, amount: ether('0.1') })
    expect(status.status).toBe('success')
    within(got, quote)
  })

  it('native currency out of a destination swap reaches the recipient as such', async () => {
    const asked = { from: origin(), to: destination(), give: origin().usdc, get: NATIVE }
    const more = { includedDestinationSwapSources: ['uniswap-v2'] }
    const { quote, status, got } = await transfer({ ...asked, amount: 100_000_000n, more })
    expect(status.status).toBe('success')
    within(got, quote)
  })

  it.each(['EXACT_OUTPUT', 'EXPECTED_OUTPUT'])('%s over swaps on both sides', async (tradeType) => {
    const asked = { from: origin(), to: destination(), give: unlistedOf(origin()), get: unlistedOf(destination()) }
    const { quote, status, got } = await transfer({ ...asked, amount: ether('10'), more: { tradeType } })
    expect(status.status).toBe('success')
    expect(quote.details.currencyOut.amount).toBe(ether('10').toString())
    if (tradeType === 'EXACT_OUTPUT') expect(got).toBeGreaterThanOrEqual(ether('10'))
    else within(got, quote)
  })

  it('a pool that moved beyond the slippage: the deposit goes back in the deposited currency (D.6)', async () => {
    const to = destination()
    const user = userOf(network, 1)
    const onePool = { includedDestinationSwapSources: ['uniswap-v2'], maxRouteLength: 1 }
    const asked = { from: origin(), to, give: origin().usdc, get: unlistedOf(to), amount: 100_000_000n, user }
    const quote = await quoteOf({ ...asked, recipient: freshAddress(), more: { slippageTolerance: '50', ...onePool } })
    // Somebody buys the token away before the deposit is made.
    const mover = await quoteOf({
      from: to,
      to,
      give: to.usdc,
      get: unlistedOf(to),
      amount: ether('60000'),
      user,
      more: { overridePriceImpact: true, ...onePool },
    })
    await send(to, user, mover)
    await finished(mover.requestId)
    const held = await balanceOnChain(origin(), user.address, origin().usdc)
    await send(origin(), user, quote)
    expect(await finished(quote.requestId)).toMatchObject({ status: 'refund', failReason: 'SLIPPAGE' })
    const back = (await balanceOnChain(origin(), user.address, origin().usdc)) - held
    expect(back).toBeLessThan(0n)
    expect(back).toBeGreaterThan(-1_000_000n)
  })
})

describe('calls (wire.md G.2)', () => {
  /** What both versions of the record say that the recipient got, and the rate of what was moved. */
  const recorded = async (requestId: string) => {
    const [v3, v2] = await Promise.all(
      ['/requests/v3', '/requests/v2'].map(async (path) => {
        const { body } = await callApi(host.url, `${path}?id=${requestId}`, { apiKey: host.apiKey })
        return valueAt(body, 'requests.0.data')
      }),
    )
    expect(valueAt(v2, 'metadata.currencyOut.amount')).toBe(
      valueAt(v3, 'route.actual.destination.outputCurrency.amount'),
    )
    expect(valueAt(v2, 'metadata.rate')).toBe(valueAt(v3, 'route.actual.rate'))
    return {
      got: BigInt(String(valueAt(v3, 'route.actual.destination.outputCurrency.amount'))),
      rate: Number(valueAt(v3, 'route.actual.rate')),
      moved: BigInt(String(valueAt(v3, 'route.actual.destination.inputCurrency.amount'))),
    }
  }

  const transferData = (to: string, amount: bigint): string =>
    `0xa9059cbb${to.slice(2).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`

  it('run in order with the money of the fill; what is left over is the recipient’s', async () => {
    const [one, two, recipient] = [freshAddress(), freshAddress(), freshAddress()]
    const { usdc } = destination()
    const txs = [
      { to: usdc, value: '0', data: transferData(one, ether('3')) },
      { to: usdc, value: '0', data: transferData(two, ether('2')) },
    ]
    const asked = { from: origin(), to: destination(), give: origin().usdc, get: usdc, recipient }
    const { quote, status, got } = await transfer({ ...asked, amount: 20_000_000n, more: { txs } })
    expect(status.status).toBe('success')
    expect(await balanceOnChain(destination(), one, usdc)).toBe(ether('3'))
    expect(await balanceOnChain(destination(), two, usdc)).toBe(ether('2'))
    // What calls take of a token is not known before they run; the record knows.
    expect(got).toBe(BigInt(quote.details.currencyOut.amount) - ether('5'))
    const record = await recorded(quote.requestId)
    expect(record).toMatchObject({ got, moved: got + ether('5') })
    expect(record.rate).toBeCloseTo(Number(quote.details.rate), 6)
  })

  it.each([
    ['input', ether('0.05'), {}],
    ['output', ether('0.04'), { tradeType: 'EXACT_OUTPUT' }],
  ])('spend native value for an exact %s: quote and record show what they leave', async (_kind, amount, more) => {
    const [called, other, recipient] = [freshAddress(), freshAddress(), freshAddress()]
    const txs = [
      { to: called, value: ether('0.02').toString(), data: '0x' },
      { to: other, value: ether('0.01').toString(), data: '0x' },
    ]
    const asked = { from: origin(), to: destination(), give: NATIVE, get: NATIVE, recipient, amount }
    const { quote, status, got } = await transfer({ ...asked, more: { ...more, txs } })
    expect(status.status).toBe('success')
    expect(await balanceOnChain(destination(), called, NATIVE)).toBe(ether('0.02'))
    expect(got).toBe(BigInt(quote.details.currencyOut.amount))
    expect(got).toBeGreaterThan(0n)
    const record = await recorded(quote.requestId)
    expect(record).toMatchObject({ got, moved: got + ether('0.03') })
    expect(record.rate).toBeCloseTo(Number(quote.details.rate), 6)
  })

  it('with native value, and after a swap', async () => {
    const [called, recipient] = [freshAddress(), freshAddress()]
    const txs = [{ to: called, value: ether('0.01').toString(), data: '0x' }]
    const asked = { from: origin(), to: destination(), give: unlistedOf(origin()), get: NATIVE, recipient }
    const { quote, status, got } = await transfer({ ...asked, amount: ether('100'), more: { txs } })
    expect(status.status).toBe('success')
    expect(await balanceOnChain(destination(), called, NATIVE)).toBe(ether('0.01'))
    within(got, quote)
    expect(await recorded(quote.requestId)).toMatchObject({ got: BigInt(quote.details.currencyOut.amount) })
  })

  it('that would fail are refused before anybody pays, with the failing call and its reason (C.1)', async () => {
    const { usdc } = destination()
    const txs = [{ to: usdc, value: '0', data: transferData(freshAddress(), ether('1000000')) }]
    const answer = await ask({
      from: origin(),
      to: destination(),
      give: origin().usdc,
      get: usdc,
      amount: 20_000_000n,
      more: { txs },
    })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      errorCode: 'DESTINATION_TX_FAILED',
      errorData: expect.anything(),
      failedCallData: { from: expect.any(String), to: usdc, data: txs[0]?.data, value: '0' },
      approxSimulatedBlock: expect.any(Number),
      requestId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
  })
})

describe('on one chain (wire.md 1.4, K.1 9)', () => {
  it('a swap is the user’s own transaction and is found without a report', async () => {
    const here = destination()
    const { quote, status, got, hash } = await transfer({
      from: here,
      to: here,
      give: NATIVE,
      get: here.usdc,
      amount: ether('0.2'),
    })
    expect(quote.steps.map(({ id }) => id)).toEqual(['swap'])
    expect(status).toMatchObject({ status: 'success', inTxHashes: [hash], txHashes: [hash] })
    within(got, quote)
  })

  it('a swap through the solver when that is forced', async () => {
    const here = origin()
    const asked = { from: here, to: here, give: here.usdc, get: unlistedOf(here), amount: 50_000_000n }
    const { quote, status, got } = await transfer({ ...asked, more: { forceSolverExecution: true } })
    expect(quote.steps.at(-1)?.id).toBe('deposit')
    expect(status.status).toBe('success')
    within(got, quote)
  })

  const report = (quote: QuoteView, chain: NetworkChain, txHash: string, at = host) =>
    callApi(at.url, '/transactions/single', {
      body: {
        requestId: quote.requestId,
        chainId: String(chain.chain.chainId),
        tx: JSON.stringify({ ...quote.steps.at(-1)?.items[0]?.data, txHash }),
      },
    })

  it.each([
    ['send of native currency', () => ({ give: NATIVE, get: NATIVE, recipient: freshAddress() })],
    ['send of a token', () => ({ give: origin().usdc, get: origin().usdc, recipient: freshAddress() })],
    ['wrap', () => ({ give: NATIVE, get: wrappedOf(origin()), recipient: userOf(network, 2).address })],
    ['unwrap', () => ({ give: wrappedOf(origin()), get: NATIVE, recipient: userOf(network, 2).address })],
  ])('%s: known by the client’s report (2.4)', async (_what, make) => {
    const here = origin()
    const user = userOf(network, 2)
    const quote = await quoteOf({ from: here, to: here, amount: 1_000_000n, user, ...make() })
    const pending = await callApi(host.url, `/intents/status/v3?requestId=${quote.requestId}`)
    expect(pending.body).toMatchObject({ status: 'waiting' })
    const hash = await send(here, user, quote)
    expect((await report(quote, here, hash)).status).toBe(200)
    expect(await finished(quote.requestId)).toMatchObject({ status: 'success', inTxHashes: [hash], txHashes: [hash] })
    // Told twice changes nothing.
    expect((await report(quote, here, hash)).status).toBe(200)
  })

  /** The user's transaction, not yet sent. */
  const signStep = async (
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
  const looksAt = async (txHash: string): Promise<number | null> => {
    const { rows } = await database.pool.query<{ attempts: number }>(
      'select attempts from direct_transactions where tx_id = $1',
      [txHash],
    )
    return rows[0]?.attempts ?? null
  }

  const lookedAt = async (txHash: string, times = 1): Promise<void> => {
    const least = ((await looksAt(txHash)) ?? 0) + times
    await until('looks at a transaction', async () => (((await looksAt(txHash)) ?? 0) >= least ? true : null))
  }

  it('a report outlives the host that took it, and may come before its transaction is sent', async () => {
    const here = origin()
    const user = userOf(network, 2)
    const asked = { from: here, to: here, give: NATIVE, get: NATIVE, recipient: freshAddress(), amount: 7n, user }
    const quote = await quoteOf(asked)
    const signed = await signStep(here, user, quote)
    const other = await startTestHost({ network, database })
    try {
      expect((await report(quote, here, keccak256(signed), other)).status).toBe(200)
    } finally {
      await other.stop()
    }
    await here.chain.rpc('eth_sendRawTransaction', [signed])
    expect(await finished(quote.requestId)).toMatchObject({ status: 'success', txHashes: [keccak256(signed)] })
  })

  it('a reported transaction is looked at in each new block, as a fill is', async () => {
    const here = origin()
    const user = userOf(network, 2)
    const asked = { from: here, to: here, give: NATIVE, get: NATIVE, recipient: freshAddress(), amount: 11n, user }
    const quote = await quoteOf(asked)
    const signed = await signStep(here, user, quote)
    expect((await report(quote, here, keccak256(signed))).status).toBe(200)
    await lookedAt(keccak256(signed))
    // Its own turn comes after all patience of this test.
    await database.pool.query(
      `update direct_transactions set next_look_at = next_look_at + interval '1 hour' where tx_id = $1`,
      [keccak256(signed)],
    )
    await here.chain.rpc('eth_sendRawTransaction', [signed])
    expect(await finished(quote.requestId)).toMatchObject({ status: 'success', txHashes: [keccak256(signed)] })
  })

  it.each([
    ['swap', () => ({ give: NATIVE, get: origin().usdc, amount: ether('0.05') }), 60_000n, 1_000_000n],
    ['unwrap', () => ({ give: wrappedOf(origin()), get: NATIVE, amount: 777n }), 100_000n, 100_000n],
  ])(
    'a %s that reverts is a failure that says why, until another transaction carries it out',
    async (kind, make, gas, enough) => {
      const here = origin()
      const user = userOf(network, 4)
      const quote = await quoteOf({ from: here, to: here, user, recipient: user.address, ...make() })
      const sendSigned = async (limit: bigint) => {
        const signed = await signStep(here, user, quote, limit)
        await here.chain.rpc('eth_sendRawTransaction', [signed])
        await receiptOf(here.chain, keccak256(signed))
        return keccak256(signed)
      }
      const bad = await sendSigned(gas)
      expect((await report(quote, here, bad)).status).toBe(200)
      expect(await finished(quote.requestId)).toMatchObject({
        status: 'failure',
        inTxHashes: [bad],
        txHashes: [bad],
        failReason: 'TRANSACTION_REVERTED',
        refundFailReason: 'N/A',
        details: expect.stringMatching(/^Transaction failed: .+/),
      })
      const shown = await callApi(host.url, `/requests/v3?id=${quote.requestId}`, { apiKey: host.apiKey })
      expect(shown.body).toMatchObject({
        requests: [
          {
            status: 'failure',
            data: {
              failReason: 'TRANSACTION_REVERTED',
              failedTxHash: bad,
              failedCallData: { from: user.address.toLowerCase() },
              inTxs: [{ txHash: bad, status: 'failure' }],
            },
          },
        ],
      })
      if (kind === 'unwrap') {
        await receiptOf(
          here.chain,
          await here.chain.send(user, { to: wrappedOf(here), data: '0xd0e30db0', value: 777n }),
        )
      }
      const good = await sendSigned(enough)
      expect((await report(quote, here, good)).status).toBe(200)
      const done = await until('the success', async () => {
        const { body } = await callApi(host.url, `/intents/status/v3?requestId=${quote.requestId}`)
        return valueAt(body, 'status') === 'success' ? body : null
      })
      expect(done).toMatchObject({ inTxHashes: [bad, good], txHashes: [bad, good], failReason: 'N/A', details: null })
    },
  )

  it('a report is given up when its time is over and the chain says no; one that is silent says nothing, other reports stay', async () => {
    const here = origin()
    const user = userOf(network, 2)
    const asked = { from: here, to: here, give: NATIVE, get: NATIVE, recipient: freshAddress(), amount: 9n, user }
    const quote = await quoteOf(asked)
    const signed = await signStep(here, user, quote)
    const nothing = keccak256(keccak256(signed))
    process.kill(here.chain.pid, 'SIGSTOP')
    try {
      for (const hash of [nothing, keccak256(signed)]) expect((await report(quote, here, hash)).status).toBe(200)
      await database.pool.query(`update direct_transactions set give_up_at = '2000-01-01' where tx_id = $1`, [nothing])
      await lookedAt(nothing, 2)
      expect(await looksAt(nothing)).toBeGreaterThan(1)
    } finally {
      process.kill(here.chain.pid, 'SIGCONT')
    }
    await until('the report to be given up', async () => ((await looksAt(nothing)) === null ? true : null))
    await here.chain.rpc('eth_sendRawTransaction', [signed])
    expect(await finished(quote.requestId)).toMatchObject({ status: 'success', txHashes: [keccak256(signed)] })
  })

  it('a report of another transaction changes nothing', async () => {
    const here = origin()
    const user = userOf(network, 2)
    const quote = await quoteOf({
      from: here,
      to: here,
      give: NATIVE,
      get: NATIVE,
      recipient: freshAddress(),
      amount: 5n,
      user,
    })
    const other = await here.chain.send(user, { to: freshAddress(), data: quote.requestId, value: 5n })
    await receiptOf(here.chain, other)
    expect((await report(quote, here, other)).status).toBe(200)
    await lookedAt(other)
    const { body } = await callApi(host.url, `/intents/status/v3?requestId=${quote.requestId}`)
    expect(body).toMatchObject({ status: 'waiting' })
  })

  const wrappedOf = ({ swap }: NetworkChain): string => {
    if (swap === undefined) throw new Error('The chain has no swaps')
    return swap.wrappedNative.toLowerCase()
  }
})

it('ends with books that agree with both chains to the unit (architecture.md 6 Ledger)', async () => {
  await waitForQuiet(database.pool)
  expect(await findDiscrepancies(database.pool, network)).toEqual([])
})
