import { environmentOf, systemClock } from '@causeway/core'
import { type DirectRequest, NOTHING_LIVE } from '@causeway/core/chain'
import { PublicKey } from '@solana/web3.js'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type SvmAdapter, svmAdapter } from '../adapter.js'
import { NATIVE } from '../address/addresses.js'
import { accountAt, freshAddress, newOrderId, sendStep } from '../lane/payWorld.test.support.js'
import { memoInstruction } from '../payout/memo/memoInstruction.js'
import { associatedAddress } from '../read/token/program/tokenPrograms.js'
import { transferNative } from '../read/watch/reading.test.support.js'
import { WRAPPED_SOL } from '../swap/wrappedSol.js'
import { type LocalSvmChain, type SwapServer, startLocalSvm, startSwapServer } from '../testing/index.js'

const SOL = WRAPPED_SOL.address
const UNIT = 1_000_000n
const AMOUNT = 100n * UNIT
const SOLS = 1_000_000_000n

const FROM_THE_BEGINNING = { slot: '0', checked: '0', floors: [], open: [] }
const AWAITED = { ...NOTHING_LIVE, awaits: () => true }

let chain: LocalSvmChain
let server: SwapServer
let adapter: SvmAdapter
let token: string
let dollar: string

beforeAll(async () => {
  chain = await startLocalSvm({ slotMs: 0 })
  token = await chain.createToken({ decimals: 6 })
  dollar = await chain.createToken({ decimals: 6 })
  const deep = [1_000_000n * UNIT, 1_000_000n * UNIT] as const
  server = await startSwapServer(chain, {
    extraAccounts: 12,
    pools: [
      { mints: [token, dollar], reserves: [100_000n * UNIT, 100_000n * UNIT] },
      { mints: [SOL, dollar], reserves: [10_000n * SOLS, 1_500_000n * UNIT] },
      { mints: [SOL, token], reserves: [10_000n * SOLS, 1_500_000n * UNIT] },
      { mints: [token, await chain.createToken({ decimals: 6 })], reserves: deep },
    ],
  })
  adapter = adapterOver(server.url)
  await adapter.start(new AbortController().signal)
  for (const mint of [token, dollar]) await chain.fund(user().address, 10_000n * UNIT, mint)
})
afterEach(() => server.lie(null))
afterAll(async () => {
  await adapter?.stop()
  await server?.close()
  await chain?.close()
})

const user = () => accountAt(chain, 4)

const adapterOver = (url: string): SvmAdapter => {
  const config = {
    id: 9_000_002,
    slug: 'local-svm',
    name: 'Local',
    package: '@causeway/chain-svm',
    rpc: [{ http: chain.rpcUrl }],
    currencies: [],
    confirmations: { fill: 1, success: 1, settle: 32, settleSeconds: 0 },
    solver: accountAt(chain, 0).address,
    enabled: true,
    options: {},
  }
  const options = {
    depository: accountAt(chain, 1).address,
    genesisHash: chain.genesisHash,
    pollIntervalMs: 20,
    swap: { sources: [{ name: 'local', url, timeoutMs: 3000 }] },
  }
  return svmAdapter(options, {
    config,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    environment: environmentOf({}),
  })
}

const requestOf = (kind: DirectRequest['kind'], changes: Partial<DirectRequest> = {}): DirectRequest => ({
  kind,
  requestId: newOrderId(),
  from: user().address,
  recipient: freshAddress(),
  money: { currency: NATIVE, amount: SOLS },
  currencyOut: NATIVE,
  ...changes,
})

const swapOf = async (
  from: string,
  to: string,
  changes: Partial<DirectRequest> = {},
  on = adapter,
): Promise<DirectRequest & { readonly swap: NonNullable<DirectRequest['swap']> }> => {
  const amount = from === NATIVE ? SOLS : AMOUNT
  const amountIn = amount - (changes.fee?.amount ?? 0n)
  const requests = [{ kind: 'exact-input', from, to, amount: amountIn }] as const
  const [[offer] = []] = (await on.swaps?.offers(requests, { maxHops: 1 })) ?? []
  if (offer === undefined) throw new Error('nothing is offered')
  const swap = { offer, minimumOut: (offer.amountOut * 99n) / 100n, deadline: 2_000_000_000 }
  return { ...requestOf('swap', { money: { currency: from, amount }, currencyOut: to, ...changes }), swap }
}

const balance = async (address: string, currency: string): Promise<bigint> => {
  const { amounts } = await adapter.getBalances([{ address, currency }])
  return amounts[0] ?? 0n
}

/** The candidates that the watcher finds for a request that was just executed. */
const candidateOf = async (requestId: string) => {
  const stop = new AbortController()
  for await (const { candidates = [] } of adapter.watch(FROM_THE_BEGINNING, AWAITED, stop.signal)) {
    const found = candidates.find((candidate) => candidate.requestId === requestId)
    if (found !== undefined) return found
  }
  return null
}

const run = async (request: DirectRequest) => {
  const { network } = await adapter.direct.estimateFee(request)
  const before = await balance(request.from, NATIVE)
  const [item, ...none] = await adapter.direct.build(request)
  expect(none).toEqual([])
  const id = await sendStep(chain, item?.data ?? null, user())
  const found = await adapter.direct.find({ id }, request)
  expect(await candidateOf(request.requestId)).toEqual({
    requestId: request.requestId,
    tx: { id },
    senders: [user().address],
  })
  return { item, id, found, network: network.amount, lost: before - (await balance(request.from, NATIVE)) }
}

test('the kinds; swaps only with a source', () => {
  expect(adapter.direct.kinds).toEqual(['send', 'wrap', 'unwrap', 'swap'])
})

describe('send, wrap, unwrap: by the user alone, found by the memo and the mark (wire.md 1.4)', () => {
  test('lamports', async () => {
    const request = requestOf('send')
    const { item, id, found, network, lost } = await run(request)
    expect(item?.stepId).toBe('send')
    expect(found).toMatchObject({
      requestId: request.requestId,
      tx: { id },
      currencyIn: NATIVE,
      amountIn: SOLS,
      currencyOut: NATIVE,
      amountOut: SOLS,
      recipient: request.recipient,
      fee: 5000n,
    })
    expect(lost).toBe(SOLS + network)
    expect(await balance(request.recipient, NATIVE)).toBe(SOLS)
  })

  test('tokens, and what a mint keeps of them', async () => {
    const plain = requestOf('send', { money: { currency: token, amount: AMOUNT }, currencyOut: token })
    const sent = await run(plain)
    expect(sent.found).toMatchObject({ amountIn: AMOUNT, amountOut: AMOUNT })
    expect(sent.lost).toBe(sent.network)
    const taxed = await chain.createToken({ decimals: 6, transferFee: { bps: 100, maximum: 10n ** 12n } })
    await chain.fund(user().address, AMOUNT, taxed)
    const money = { currency: taxed, amount: AMOUNT }
    const request = requestOf('send', { money, currencyOut: taxed })
    expect((await adapter.direct.estimateFee(request)).currencyFee).toBe(UNIT)
    expect((await run(request)).found).toMatchObject({ amountIn: AMOUNT, amountOut: AMOUNT - UNIT })
  })

  test('tokens to a token account, there or not, are refused: the owner of the account is to be named', async () => {
    const refused = async (recipient: string, why: RegExp) => {
      const money = { currency: token, amount: AMOUNT }
      for (const request of [
        requestOf('send', { recipient, money, currencyOut: token }),
        requestOf('wrap', { recipient, currencyOut: SOL }),
      ]) {
        await expect(adapter.direct.build(request)).rejects.toMatchObject({ code: 'INVALID_RECIPIENT', message: why })
      }
    }
    const accountOf = (owner: string) => associatedAddress(new PublicKey(token), new PublicKey(owner)).toBase58()
    await refused(accountOf(user().address), /give the address of the wallet that owns it/)
    await refused(accountOf(freshAddress()), /does not exist yet. Give the address of the wallet that owns it/)
  })

  test.each(['self', 'other'] as const)('wraps and unwraps for %s, just the amount', async (whom) => {
    const recipient = whom === 'self' ? user().address : freshAddress()
    const wrapped = requestOf('wrap', { recipient, currencyOut: SOL })
    const first = await run(wrapped)
    expect(first.item?.stepId).toBe('swap')
    expect(first.found).toMatchObject({ amountIn: SOLS, amountOut: SOLS, currencyOut: SOL })
    expect(first.lost).toBe(SOLS + first.network)
    if (whom === 'other') await run(requestOf('wrap', { recipient: user().address, currencyOut: SOL }))
    const held = await balance(user().address, SOL)
    const money = { currency: SOL, amount: SOLS / 4n }
    const second = await run(requestOf('unwrap', { recipient, money }))
    expect(second.found).toMatchObject({ amountIn: SOLS / 4n, amountOut: SOLS / 4n, currencyOut: NATIVE })
    expect(held - (await balance(user().address, SOL))).toBe(SOLS / 4n)
    expect(second.lost).toBe(second.network - (whom === 'self' ? SOLS / 4n : 0n))
  })
})

describe('swaps of one chain', () => {
  test('for the user, for somebody else, with a fee for a third', async () => {
    const own = await swapOf(token, dollar, { recipient: user().address })
    const first = await run(own)
    expect(first.found).toMatchObject({ amountIn: AMOUNT, amountOut: own.swap.offer.amountOut })
    expect(first.lost).toBe(first.network)
    const collector = freshAddress()
    const other = await swapOf(token, dollar, { fee: { amount: 5n * UNIT, recipient: collector } })
    const second = await run(other)
    expect(second.found).toMatchObject({ amountIn: AMOUNT, amountOut: other.swap.offer.amountOut })
    expect(await balance(other.recipient, dollar)).toBe(other.swap.offer.amountOut)
    expect(await balance(collector, token)).toBe(5n * UNIT)
  })

  test('from lamports, while wrapped lamports lie in the account', async () => {
    await run(requestOf('wrap', { recipient: user().address, currencyOut: SOL }))
    const request = await swapOf(NATIVE, dollar, { recipient: user().address })
    expect((await run(request)).found).toMatchObject({ amountIn: SOLS, amountOut: request.swap.offer.amountOut })
  })

  test('to lamports: all of it for the user, the least for somebody else', async () => {
    const own = await swapOf(dollar, NATIVE, { recipient: user().address })
    expect((await run(own)).found).toMatchObject({ amountIn: AMOUNT, amountOut: own.swap.offer.amountOut })
    const other = await swapOf(dollar, NATIVE)
    expect((await run(other)).found).toMatchObject({ amountIn: AMOUNT, amountOut: other.swap.minimumOut })
    expect(await balance(other.recipient, NATIVE)).toBe(other.swap.minimumOut)
  })

  test('too large (wire.md 1.1 6: same-chain quotes too)', async () => {
    const crowd = await startSwapServer(chain, {
      extraAccounts: 30,
      pools: [{ mints: [token, dollar], reserves: [100_000n * UNIT, 100_000n * UNIT] }],
    })
    const crowded = adapterOver(crowd.url)
    const request = await swapOf(token, dollar, {}, crowded)
    for (const refused of [crowded.direct.build(request), crowded.direct.estimateFee(request)]) {
      await expect(refused).rejects.toMatchObject({ code: 'SOLANA_TX_TOO_LARGE' })
    }
    await crowded.stop()
    await crowd.close()
  })

  test.each(['thief', 'short'] as const)('a source that is a %s: no steps', async (lie) => {
    for (const [to, recipient] of [
      [dollar, freshAddress()],
      [dollar, user().address],
      [NATIVE, freshAddress()],
      [NATIVE, user().address],
    ] as const) {
      const request = await swapOf(token, to, { recipient })
      server.lie(lie)
      await expect(adapter.direct.build(request)).rejects.toMatchObject({ code: 'SWAP_QUOTE_FAILED' })
      server.lie(null)
    }
  })
})

describe('what is not what was asked for', () => {
  test('unknown, failed, another id, two ids, too little, somebody else', async () => {
    const request = requestOf('send', { recipient: accountAt(chain, 6).address })
    const send = (amount: bigint, ids: readonly string[], to = request.recipient, from = user()) =>
      chain.send(from, [transferNative(from.address, to, amount), ...ids.map((id) => memoInstruction(id))], {
        mayFail: true,
      })
    const find = (id: string) => adapter.direct.find({ id }, request)
    const { requestId } = request
    expect(await find(await send(SOLS, [newOrderId()]))).toBeNull()
    expect(await find(await send(SOLS, [requestId, newOrderId()]))).toBeNull()
    expect(await find(await send(SOLS - 1n, [requestId]))).toBeNull()
    expect(await find(await send(SOLS, [requestId], freshAddress()))).toBeNull()
    expect(await find(await send(SOLS, [requestId], request.recipient, accountAt(chain, 7)))).toBeNull()
    expect(await find(await send(10n ** 16n, [requestId]))).toBeNull()
    expect(await find('5'.repeat(88))).toBeNull()
    expect(await find(await send(SOLS, [requestId]))).toMatchObject({ amountOut: SOLS })
  })
})
