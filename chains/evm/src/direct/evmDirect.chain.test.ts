import type { Json } from '@causeway/core'
import { type DirectRequest, NOTHING_LIVE, type WatchPage } from '@causeway/core/chain'
import { concat, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { EvmAdapter } from '../adapter.js'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { liveSet } from '../depositAddress/addressWorld.test.support.js'
import { encodeTransfer } from '../payout/contracts/staticCall.js'
import type { LocalAccount, SentTransaction } from '../testing/node/localChain.js'
import { sendMined } from '../testing/node/sendMined.js'
import { startTestDeployment, type TestDeployment } from '../testing/testDeployment.js'
import { deployTestExchange } from '../testing/testExchange.js'
import { deployUniswap } from '../testing/uniswap/uniswap.js'

const RECIPIENT = `0x${'12'.repeat(20)}`
const APP = `0x${'34'.repeat(20)}`

let deployment: TestDeployment
let adapter: EvmAdapter
let user: LocalAccount
let token: string
let wanted: string
let fees: string
let wrapped: string
let exchange: Awaited<ReturnType<typeof deployTestExchange>>
let requestId: Hex = '0x'
let requests = 0

beforeAll(async () => {
  deployment = await startTestDeployment(31_123)
  const { chain, swapRouter } = deployment
  user = chain.accounts[0] as LocalAccount
  token = deployment.token
  wanted = await chain.deployToken({ name: 'Wanted', symbol: 'WNT', decimals: 6 })
  fees = await chain.deployToken({ name: 'Fees', symbol: 'FEE', decimals: 6, kind: 'fee' })
  await chain.fund(user.address, 10n ** 12n, fees)
  exchange = await deployTestExchange(chain, { swapRouter, tokens: [wanted] })
  const uniswap = await deployUniswap(chain)
  wrapped = uniswap.wrappedNative
  adapter = deployment.adapter({ options: { swap: uniswap.options(swapRouter), startBlock: 0 } })
  await adapter.start(new AbortController().signal)
})
afterAll(async () => {
  await adapter.stop()
  await deployment.chain.close()
})
beforeEach(() => {
  requests += 1
  requestId = `0x${requests.toString(16).padStart(64, 'e')}`
})

const request = (changes: Partial<DirectRequest> = {}): DirectRequest => ({
  kind: 'send',
  requestId,
  from: user.address,
  recipient: RECIPIENT,
  money: { currency: token, amount: 1_000n },
  currencyOut: token,
  ...changes,
})

const wrap = (changes: Partial<DirectRequest> = {}): DirectRequest => {
  const money = { currency: ZERO_ADDRESS, amount: 1_000n }
  return request({ kind: 'wrap', recipient: user.address, money, currencyOut: wrapped, ...changes })
}

const swap = (changes: Partial<DirectRequest> = {}): DirectRequest => {
  const order = exchange.order({ from: token, to: wanted, amountIn: 990n, amountOut: 500n })
  const fee = { amount: 10n, recipient: APP }
  return request({ kind: 'swap', currencyOut: wanted, swap: order, fee, ...changes })
}

const asTransaction = (data: Json): SentTransaction => {
  const { to, data: input, value } = data as { to: string; data: Hex; value: string }
  return { to, data: input, value: BigInt(value) }
}

/** Runs the steps as a wallet does; `suffix` goes behind the calldata of the last. */
const execute = async (subject: DirectRequest, suffix: Hex = '0x'): Promise<string> => {
  const steps = await adapter.direct.build(subject)
  let hash = ''
  for (const [at, { data }] of steps.entries()) {
    const transaction = asTransaction(data)
    const input = concat([transaction.data ?? '0x', at === steps.length - 1 ? suffix : '0x'])
    hash = (await sendMined(deployment.chain, user, { ...transaction, data: input })).transactionHash
  }
  return hash
}

test('what a chain offers depends on its swaps', () => {
  expect(adapter.direct.kinds).toEqual(['send', 'wrap', 'unwrap', 'swap'])
  expect(deployment.adapter().direct.kinds).toEqual(['send'])
})

describe('send', () => {
  test('wire.md 1.4: one step whose calldata ends with the request id, found by what it did', async () => {
    const subject = request()
    const steps = await adapter.direct.build(subject)
    expect(steps.map(({ stepId }) => stepId)).toEqual(['send'])
    const data = concat([encodeTransfer(RECIPIENT, 1_000n), requestId])
    expect(steps[0]?.data).toMatchObject({ from: user.address, to: token, data, value: '0', chainId: 31_123 })
    const id = await execute(subject)
    const found = await adapter.direct.find({ id }, subject)
    expect(found).toMatchObject({
      requestId,
      tx: { id },
      currencyIn: token,
      amountIn: 1_000n,
      currencyOut: token,
      amountOut: 1_000n,
      recipient: RECIPIENT,
      txData: { from: user.address, to: token, data, value: '0' },
    })
    expect(found?.fee).toBeGreaterThan(0n)
  })

  test('native currency, and bytes behind the request id (wire.md G.5)', async () => {
    const native = request({ money: { currency: ZERO_ADDRESS, amount: 7n }, currencyOut: ZERO_ADDRESS })
    const id = await execute(native)
    expect(await adapter.direct.find({ id }, native)).toMatchObject({ amountIn: 7n, amountOut: 7n })
    const coded = await execute(request(), '0x0bc0de')
    expect(await adapter.direct.find({ id: coded }, request())).toMatchObject({ amountOut: 1_000n })
  })

  test('F07: of a token that takes a fee, what arrived counts', async () => {
    const subject = request({ money: { currency: fees, amount: 1_000n }, currencyOut: fees })
    const found = await adapter.direct.find({ id: await execute(subject) }, subject)
    expect(found).toMatchObject({ amountIn: 1_000n, amountOut: 990n })
  })

  test('is not found when it is unknown, failed, or does something else', async () => {
    const subject = request()
    const id = await execute(subject)
    const others: readonly Partial<DirectRequest>[] = [
      { requestId: `0x${'99'.repeat(32)}` },
      { from: RECIPIENT },
      { recipient: APP },
      { money: { currency: token, amount: 999n } },
      { money: { currency: wanted, amount: 1_000n }, currencyOut: wanted },
    ]
    for (const other of others) expect(await adapter.direct.find({ id }, { ...subject, ...other })).toBeNull()
    expect(await adapter.direct.find({ id: `0x${'00'.repeat(32)}` }, subject)).toBeNull()
    const tooMuch = request({ money: { currency: token, amount: 10n ** 30n } })
    const [step] = await adapter.direct.build(tooMuch)
    const failing = await deployment.chain.send(user, { ...asTransaction(step?.data ?? null), gas: 100_000n })
    await expect(mined(failing)).resolves.toBe('0x0')
    expect(await adapter.direct.find({ id: failing }, tooMuch)).toBeNull()
  })

  test('a recipient who refuses is known before anything is signed; a user who is short is not', async () => {
    const native = { currency: ZERO_ADDRESS, amount: 7n }
    const refused = adapter.direct.estimateFee(request({ money: native, currencyOut: ZERO_ADDRESS, recipient: token }))
    await expect(refused).rejects.toMatchObject({ code: 'DESTINATION_TX_FAILED' })
    const fee = await adapter.direct.estimateFee(request())
    expect(fee.network.amount).toBeGreaterThan(0n)
    const rich = { currency: ZERO_ADDRESS, amount: 10n ** 40n }
    const short = await adapter.direct.estimateFee(request({ money: rich, currencyOut: ZERO_ADDRESS }))
    expect(short.network.amount).toBeGreaterThan(0n)
    const tokens = await adapter.direct.estimateFee(request({ money: { currency: token, amount: 10n ** 30n } }))
    expect(tokens.network.amount).toBeGreaterThan(0n)
  })
})

describe('wrap and unwrap', () => {
  test('are calls of the wrapped native currency that end with the request id', async () => {
    const subject = wrap()
    const steps = await adapter.direct.build(subject)
    expect(steps.map(({ stepId }) => stepId)).toEqual(['swap'])
    expect(steps[0]?.data).toMatchObject({ to: wrapped, data: concat(['0xd0e30db0', requestId]), value: '1000' })
    const id = await execute(subject)
    const moved = { amountIn: 1_000n, amountOut: 1_000n }
    expect(await adapter.direct.find({ id }, subject)).toMatchObject({ ...moved, currencyOut: wrapped })
    const back = wrap({ kind: 'unwrap', money: { currency: wrapped, amount: 1_000n }, currencyOut: ZERO_ADDRESS })
    expect(await adapter.direct.find({ id }, back)).toBeNull()
    const unwrapped = await adapter.direct.find({ id: await execute(back) }, back)
    expect(unwrapped).toMatchObject({ ...moved, currencyIn: wrapped, currencyOut: ZERO_ADDRESS })
  })

  test('serve the user alone', async () => {
    await expect(adapter.direct.build(wrap({ recipient: RECIPIENT }))).rejects.toMatchObject({
      code: 'USER_RECIPIENT_MISMATCH',
    })
  })
})

describe('the watcher of what users execute alone', () => {
  const named = (at: number): Hex => `0xfeed${at.toString(16).padStart(60, '0')}`
  const moves = (): readonly DirectRequest[] => [
    request({ requestId: named(1), money: { currency: ZERO_ADDRESS, amount: 5n }, currencyOut: ZERO_ADDRESS }),
    request({ requestId: named(2) }),
    wrap({ requestId: named(3) }),
    wrap({ requestId: named(4), kind: 'unwrap', money: { currency: wrapped, amount: 5n }, currencyOut: ZERO_ADDRESS }),
    swap({ requestId: named(5), fee: { amount: 10n, recipient: RECIPIENT } }),
  ]

  test('reads no block while no such quote is live; then finds each kind by its calldata', async () => {
    const stop = new AbortController()
    const live = liveSet([])
    const early = moves().map(({ requestId: id }) => ({ ...request(), requestId: id }))
    const expected: unknown[] = []
    const found: unknown[] = []
    let passed: bigint | null = null
    for await (const { candidates = [], height } of adapter.watch(null, live, stop.signal)) {
      found.push(...candidates.filter(({ requestId: id }) => id.startsWith('0xfeed')))
      if (passed === null) {
        for (const subject of early) await execute(subject)
        passed = BigInt(await deployment.chain.rpc<string>('eth_blockNumber', []))
      } else if (live.given.kinds.size === 0 && height >= passed) {
        live.given.kinds.add('swap')
        for (const subject of moves()) {
          const id = await execute(subject, '0x0bc0de')
          expected.push({ requestId: subject.requestId, tx: { id }, senders: [user.address] })
        }
      }
      if (found.length >= moves().length) stop.abort()
    }
    expect(found).toEqual(expected)
  })
})

describe('swap', () => {
  test('wire.md 1.4: approve and swap; the fee goes first; the watcher tells of it and it is found', async () => {
    const subject = swap()
    const steps = await adapter.direct.build(subject)
    expect(steps.map(({ stepId }) => stepId)).toEqual(['approve', 'swap'])
    const stop = new AbortController()
    const pages = adapter.watch(null, NOTHING_LIVE, stop.signal)[Symbol.asyncIterator]()
    const id = await execute(subject)
    const expected = {
      requestId,
      tx: { id },
      currencyIn: token,
      amountIn: 1_000n,
      currencyOut: wanted,
      amountOut: 500n,
      recipient: RECIPIENT,
    }
    const { executions = [], deposits } = await pageWith(pages, id)
    stop.abort()
    expect(deposits).toEqual([])
    const own = executions.filter((execution) => execution.requestId === requestId)
    expect(own).toEqual([expect.objectContaining(expected)])
    expect(await adapter.direct.find({ id }, subject)).toEqual(own[0])
    expect(await adapter.direct.find({ id }, { ...subject, recipient: APP })).toBeNull()
    const { amounts } = await adapter.getBalances([{ address: APP, currency: token }])
    expect(amounts).toEqual([10n])
  })

  test('native currency to wrapped for another recipient goes through the router', async () => {
    const order = exchange.order({ from: ZERO_ADDRESS, to: wrapped, amountIn: 1_000n, amountOut: 1_000n })
    const wrapping = { ...order, offer: { ...order.offer, source: 'wrapped-native', route: { kind: 'wrap' } } }
    const subject = wrap({ kind: 'swap', recipient: RECIPIENT, swap: wrapping })
    const steps = await adapter.direct.build(subject)
    expect(steps.map(({ stepId }) => stepId)).toEqual(['swap'])
    const id = await execute(subject)
    expect(await adapter.direct.find({ id }, subject)).toMatchObject({ amountOut: 1_000n, recipient: RECIPIENT })
  })

  test('its fee is estimated without asking about it', async () => {
    const subject = swap()
    const { network } = await adapter.direct.estimateFee(subject)
    const sent = await adapter.direct.estimateFee(request())
    expect(network.amount).toBeGreaterThan(sent.network.amount)
  })

  test('one whose block left the chain is not told of again; a new one is', async () => {
    const { chain } = deployment
    const stop = new AbortController()
    const pages = adapter.watch(null, NOTHING_LIVE, stop.signal)[Symbol.asyncIterator]()
    const gone = await execute(swap())
    await pageWith(pages, gone)
    await chain.reorg(2)
    expect((await nextPage(pages, ({ rewoundTo }) => rewoundTo !== null)).executions).toBeUndefined()
    expect(await adapter.direct.find({ id: gone }, swap())).toBeNull()
    const again = await execute(swap({ money: { currency: token, amount: 1_001n } }))
    const { executions } = await pageWith(pages, again)
    stop.abort()
    expect(executions?.map(({ tx }) => tx.id)).not.toContain(gone)
  })
})

const nextPage = async (
  pages: AsyncIterator<WatchPage>,
  isWanted: (page: WatchPage) => boolean,
): Promise<WatchPage> => {
  for (;;) {
    const { value, done } = await pages.next()
    if (done === true) throw new Error('The watcher stopped')
    if (isWanted(value)) return value
  }
}

/** The page that tells of the direct swap in one transaction. */
const pageWith = (pages: AsyncIterator<WatchPage>, id: string) =>
  nextPage(pages, ({ executions = [] }) => executions.some(({ tx }) => tx.id === id))

/** Status of a transaction once it is in a block. */
const mined = async (hash: string): Promise<string> => {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    const receipt = await deployment.chain.rpc<{ status: string } | null>('eth_getTransactionReceipt', [hash])
    if (receipt !== null) return receipt.status
  }
  throw new Error('It was not mined')
}
