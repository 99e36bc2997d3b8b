import { environmentOf, type Json, ServiceError, systemClock } from '@causeway/core'
import {
  createSecp256k1Signer,
  type LaneReading,
  type Payout,
  type SignedAttempt,
  type Signer,
} from '@causeway/core/chain'
import { Transaction } from 'bitcoinjs-lib'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type BvmAdapter, bvmAdapter } from '../adapter.js'
import { NATIVE } from '../address/addresses.js'
import { accountOf, type BitcoinAccount, type LocalBitcoin, startLocalBitcoin } from '../testing/index.js'

const SETTLE = 3
const COIN = 1_000_000n
const AMOUNT = 300_000n

let chain: LocalBitcoin
let keys: { readonly solver: string; readonly vault: string }
let solver: BitcoinAccount
let vault: BitcoinAccount
let adapter: BvmAdapter
let orders = 0

beforeAll(async () => {
  chain = await startLocalBitcoin({ policy: { coinbaseMaturity: 1 } })
  await chain.setFeeRates({ 2: 2000n })
})

/** Each test has keys of its own. */
beforeEach(async () => {
  orders += 1
  const keyOf = (kind: string) => `${kind}${orders.toString(16).padStart(4, '0')}`.padEnd(64, '7')
  keys = { solver: keyOf('51'), vault: keyOf('52') }
  const accountOfKey = (key: string) => accountOf(Uint8Array.from(Buffer.from(key, 'hex')))
  solver = accountOfKey(keys.solver)
  vault = accountOfKey(keys.vault)
  adapter = openAdapter()
})

afterEach(async () => {
  await adapter.stop()
  await chain.clearFaults()
})

afterAll(() => chain.close())

const openAdapter = (payoutsPerTransaction = 1): BvmAdapter => {
  const rpc = [
    { http: chain.url, provider: 'one' },
    { http: chain.rpcUrl, provider: 'two' },
  ]
  const config = {
    id: 9_000_002,
    slug: 'local-bvm',
    name: 'Local',
    package: '@causeway/chain-bvm',
    rpc,
    currencies: [],
    confirmations: { fill: 1, success: 1, settle: SETTLE, settleSeconds: 0 },
    solver: solver.addresses.p2wpkh,
    enabled: true,
    options: {},
  }
  const options = {
    depository: vault.addresses.p2wpkh,
    network: 'regtest' as const,
    access: ['esplora' as const, 'core' as const],
    minFeeRate: 2,
    maxFeeRate: 20,
    pollIntervalMs: 20,
    payoutsPerTransaction,
  }
  return bvmAdapter(options, {
    config,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    environment: environmentOf({}),
  })
}

const signer = (): Signer => createSecp256k1Signer(`0x${keys.solver}`)
const allocator = (): Signer => createSecp256k1Signer(`0x${keys.vault}`)

const payout = (changes: Partial<Payout> = {}): Payout => {
  orders += 1
  const to = accountOf(Uint8Array.from(Buffer.from(orders.toString(16).padStart(64, '9'), 'hex'))).addresses.p2tr
  return {
    purpose: 'fill',
    orderId: `0x${orders.toString(16).padStart(64, 'e')}`,
    from: solver.addresses.p2wpkh,
    to: { address: to },
    money: { currency: NATIVE, amount: AMOUNT },
    calls: [],
    ...changes,
  }
}

const fundSolver = async (coins: number): Promise<void> => {
  for (let at = 0; at < coins; at++) await chain.fund(solver.addresses.p2wpkh, COIN, { mine: false })
  await chain.mine()
}

const begin = async (): Promise<Json> => (await adapter.lane.read(solver.addresses.p2wpkh, null)).position

const prepare = (payouts: readonly Payout[], position: Json) =>
  adapter.lane.prepare(
    payouts.map((item) => ({ payout: item, gas: null })),
    position,
  )

/** Prepared and signed as one payout. */
const signed = async (item: Payout, position: Json): Promise<SignedAttempt> => {
  const [prepared] = (await prepare([item], position)).prepared
  if (!prepared) throw new Error('nothing was prepared')
  return adapter.lane.sign(prepared, signer(), allocator())
}

const outputsOf = ({ raw }: SignedAttempt) => Transaction.fromHex(raw.slice(2)).outs

describe('coins of a lane', () => {
  test('each payout holds coins of its own; without a free one it waits, until a block brings change', async () => {
    await fundSolver(2)
    const position = await begin()
    const first = await prepare([payout(), payout(), payout()], position)
    const guards = first.prepared.flatMap((item) => item?.guards ?? [])
    expect(new Set(guards).size).toBe(2)
    expect(first.prepared.map((item) => item === null)).toEqual([false, false, true])
    const late = payout()
    expect((await prepare([late], first.position)).prepared).toEqual([null])
    for (const item of first.prepared) {
      if (item !== null) await adapter.lane.broadcast([await adapter.lane.sign(item, signer())])
    }
    // Its change is enough, but waits for a block: the payment is possible, and not yet.
    expect(await adapter.simulate(late)).toMatchObject({ ok: true })
    expect((await prepare([late], first.position)).prepared).toEqual([null])
    await chain.mine()
    expect((await prepare([late], first.position)).prepared[0]).not.toBeNull()
  })

  test("a stranger's unconfirmed coin is never spent", async () => {
    await chain.fund(solver.addresses.p2wpkh, COIN, { mine: false })
    const item = payout()
    expect(await adapter.simulate(item)).toMatchObject({ ok: false, kind: 'insufficient-funds' })
    expect((await prepare([item], await begin())).prepared).toEqual([null])
    await chain.mine()
  })

  test('what is too small to be passed on is told before anything is signed', async () => {
    await fundSolver(1)
    const small = payout({ money: { currency: NATIVE, amount: 329n } })
    expect(await adapter.simulate(small)).toMatchObject({ kind: 'recipient-cannot-receive', leastAmount: 330n })
    // Nor does it keep the others back.
    const { prepared } = await prepare([small, payout()], await begin())
    expect(prepared.map((item) => item === null)).toEqual([true, false])
  })

  test('a fill carries exactly the order id; the fee is that of its size', async () => {
    await fundSolver(1)
    const item = payout()
    const attempt = await signed(item, await begin())
    const [paid, text, change] = outputsOf(attempt)
    expect(paid?.value).toBe(AMOUNT)
    expect(
      Buffer.from(text?.script ?? [])
        .subarray(2)
        .toString(),
    ).toBe(item.orderId)
    expect(COIN - AMOUNT - (change?.value ?? 0n)).toBe(attempt.feeCap)
    const simulation = await adapter.simulate(item)
    const { network } = await adapter.estimatePayoutFee(item, simulation)
    expect(network.amount).toBe(attempt.feeCap)
  })
})

describe('a limit of what a payment may cost (faults.md F124)', () => {
  let sharing: BvmAdapter
  beforeEach(() => {
    sharing = openAdapter(3)
  })
  afterEach(() => sharing.stop())

  const prepareShared = async (limits: readonly bigint[]) => {
    const payouts = limits.map((feeLimit) => ({ payout: payout({ feeLimit }), gas: null }))
    return (await sharing.lane.prepare(payouts, await begin())).prepared
  }

  test('holds the part of each that shares a transaction', async () => {
    await fundSolver(1)
    const alone = await signed(payout(), await begin())
    const prepared = await prepareShared([alone.feeCap, alone.feeCap, alone.feeCap])
    expect(new Set(prepared).size).toBe(1)
    expect(prepared[0]?.feeCap).toBeGreaterThan(alone.feeCap)
  })

  test('leaves out the one that exceeds it, and no other', async () => {
    await fundSolver(1)
    const { feeCap } = await signed(payout(), await begin())
    const [first, dear, last] = await prepareShared([feeCap, 1n, feeCap])
    expect(dear).toBeNull()
    expect(first).not.toBeNull()
    expect(last).toBe(first)
  })
})

describe('versions of a payout', () => {
  test('each bump holds the same coins and pays more, up to the cap; whichever lands, the payout has landed', async () => {
    await fundSolver(1)
    const item = payout()
    const versions = [await signed(item, await begin())]
    for (;;) {
      const last = versions.at(-1)
      const next = last && (await adapter.lane.replace(last))
      if (!next) break
      expect(next.guards).toEqual(last.guards)
      expect(next.feeCap).toBeGreaterThan(last.feeCap)
      versions.push(await adapter.lane.sign(next, signer()))
      if (versions.length > 40) throw new Error('there is no cap')
    }
    expect(versions.length).toBeGreaterThan(5)
    for (const version of versions.slice(0, 4)) {
      expect(await adapter.lane.broadcast([version])).toEqual([{ outcome: 'known' }])
    }
    // A miner took the second one; the others can never land.
    const [, second] = versions
    if (second === undefined) throw new Error('no version')
    await chain.mine(1, { transactions: [second.raw.slice(2)] })
    const states = await adapter.lane.states(versions.map(({ txId }) => ({ txId, payout: item })))
    expect(states.filter(({ status }) => status === 'success')).toHaveLength(1)
    expect(states[1]).toMatchObject({ status: 'success', paid: AMOUNT, fee: second.feeCap })
    const ids = versions.map(({ txId }) => txId)
    expect(await adapter.lane.payoutVerdict(second.guards, ids)).toBe('alive')
    await chain.mine(SETTLE + 1)
    expect(await adapter.lane.payoutVerdict(second.guards, ids)).toBe('landed')
  })

  describe('F155: of which a recipient has spent his part already', () => {
    /** A payment that waits, and a chain of two transactions of its recipient, who pays so much for each, of the payment and a coin of his own. */
    const pinned = async (childFee: bigint, own = 0n): Promise<SignedAttempt> => {
      const [recipient] = chain.accounts
      if (recipient === undefined) throw new Error('no account')
      const { p2wpkh } = recipient.addresses
      const extra = own === 0n ? [] : [{ ...(await chain.fund(p2wpkh, own)), value: own, form: 'p2wpkh' as const }]
      await fundSolver(1)
      const attempt = await signed(payout({ to: { address: p2wpkh } }), await begin())
      expect(await adapter.lane.broadcast([attempt])).toEqual([{ outcome: 'known' }])
      let [txid, value, coins] = [attempt.txId, AMOUNT, extra]
      for (let child = 0; child < 2; child++) {
        const spent = [{ txid, vout: 0, value, form: 'p2wpkh' as const }, ...coins]
        value = spent.reduce((sum, coin) => sum + coin.value, 0n) - childFee
        txid = await chain.pay(recipient, [{ to: p2wpkh, value }], { coins: spent, fee: childFee })
        coins = []
      }
      return attempt
    }

    test.each(['esplora', 'rpc'] as const)(
      'a bump pays for all that it takes out of the mempool, and nodes take it: told by %s',
      async (api) => {
        const attempt = await pinned(170n)
        await chain.failNext({ api: api === 'rpc' ? 'esplora' : 'rpc', status: 500, times: 99 })
        const next = await adapter.lane.replace(attempt)
        await chain.clearFaults()
        if (next === null) throw new Error('not raised')
        expect(next.feeCap).toBeGreaterThan(attempt.feeCap + 2n * 170n)
        const sent = await adapter.lane.sign(next, signer())
        expect(await adapter.lane.broadcast([sent])).toEqual([{ outcome: 'known' }])
        await chain.mine()
        expect(chain.node.chain.placeOf(sent.txId)).toBeDefined()
      },
    )

    test('at a price that he made up it is not raised; cancelled it is, for as much as it would have lost', async () => {
      const attempt = await pinned(20_000n)
      expect(await adapter.lane.replace(attempt)).toBeNull()
      const cancel = await adapter.lane.cancel(attempt)
      if (cancel === null) throw new Error('not cancelled')
      expect(cancel.feeCap).toBeGreaterThan(40_000n)
      expect(await adapter.lane.broadcast([await adapter.lane.sign(cancel, signer())])).toEqual([{ outcome: 'known' }])
      await chain.mine(SETTLE + 1)
      expect(await adapter.lane.payoutVerdict(attempt.guards, [attempt.txId])).toBe('dead')
    })

    test('it is left alone where to cancel it costs more than it pays', async () => {
      expect(await adapter.lane.cancel(await pinned(160_000n, 500_000n))).toBeNull()
    })
  })

  test('coins spent by somebody with the same key: dead, once that is final and every provider says so', async () => {
    await fundSolver(1)
    const attempt = await signed(payout(), await begin())
    const coins = [{ ...coinOf(attempt), value: COIN, form: 'p2wpkh' as const }]
    const other = await chain.pay(solver, [{ to: vault.addresses.p2pkh, value: 1000n }], { coins })
    await chain.mine(SETTLE)
    expect(await adapter.lane.payoutVerdict(attempt.guards, [attempt.txId])).toBe('alive')
    await chain.mine()
    await chain.claimConfirmations(other, 1, 'esplora')
    await chain.lag(2, 'esplora')
    expect(await adapter.lane.payoutVerdict(attempt.guards, [attempt.txId])).toBe('alive')
    await chain.lag(0, 'esplora')
    await chain.claimConfirmations(other, null, 'esplora')
    expect(await adapter.lane.payoutVerdict(attempt.guards, [attempt.txId])).toBe('dead')
    await chain.failNext({ api: 'rpc', status: 500, times: 20 })
    await expect(adapter.lane.payoutVerdict(attempt.guards, [attempt.txId])).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    })
  })

  test('a payment sent by another deployment is found in the mempool, with its order', async () => {
    await fundSolver(2)
    const position = await begin()
    const { height } = await adapter.tip()
    const item = payout()
    const attempt = await signed(item, await begin())
    await adapter.lane.broadcast([attempt])
    const reading = await adapter.lane.read(solver.addresses.p2wpkh, { position, sinceHeight: height })
    expect(reading.unknown).toMatchObject([{ tx: { id: attempt.txId }, orderId: item.orderId, status: 'pending' }])
    expect(reading.complete).toBe(true)
    const [next] = (await prepare([payout()], reading.position)).prepared
    expect(next?.guards).not.toEqual(attempt.guards)
  })
})

describe('coins that may not be there', () => {
  test('settled coins are spent first', async () => {
    const { txid, vout } = await chain.fund(solver.addresses.p2wpkh, 2n * COIN)
    await chain.mine(SETTLE - 1)
    await fundSolver(1)
    const first = await prepare([payout()], await begin())
    expect(first.prepared[0]?.guards).toEqual([`coin:${txid}:${vout}`])
    const [next] = (await prepare([payout()], first.position)).prepared
    expect(next?.guards).not.toContain(`coin:${txid}:${vout}`)
  })

  test('a coin that one provider does not know is not spent', async () => {
    const { txid } = await chain.fund(solver.addresses.p2wpkh, COIN)
    for (const api of ['esplora', 'rpc'] as const) {
      await chain.hide(txid, { api })
      expect((await prepare([payout()], await begin())).prepared).toEqual([null])
      await chain.hide(txid, { api, shown: true })
    }
    await chain.failNext({ api: 'rpc', status: 500, times: 20 })
    expect((await prepare([payout()], { begin: '0', payouts: [] })).prepared[0]).not.toBeNull()
  })

  test('invariant 4: a payout whose coin vanished with its block is dead once what took its place is final', async () => {
    const [stranger] = chain.accounts
    if (stranger === undefined) throw new Error('no account')
    const coin = { ...(await chain.fund(stranger.addresses.p2wpkh, COIN + 10_000n)), form: 'p2wpkh' as const }
    const options = { coins: [{ ...coin, value: COIN + 10_000n }], change: null, fee: 10_000n }
    const other = chain.build(stranger, [{ to: vault.addresses.p2pkh, value: COIN }], options)
    await chain.pay(stranger, [{ to: solver.addresses.p2wpkh, value: COIN }], options)
    await chain.mine()
    const attempt = await signed(payout(), await begin())
    expect(await adapter.lane.mayBeDead(attempt.guards)).toBe(false)
    await chain.reorg(1, { transactions: [other], drop: 'all' })
    const judged = () => adapter.lane.payoutVerdict(attempt.guards, [attempt.txId])
    expect(await adapter.lane.mayBeDead(attempt.guards)).toBe(true)
    expect(await judged()).toBe('alive')
    await chain.mine(SETTLE)
    await chain.lag(2, 'esplora')
    expect(await judged()).toBe('alive')
    await chain.lag(0, 'esplora')
    expect(await judged()).toBe('dead')
  })

  test('a coin that is only spent in the mempool stays held, however long; one that a final block spent is forgotten', async () => {
    await fundSolver(1)
    const first = await prepare([payout()], await begin())
    const [item] = first.prepared
    if (!item) throw new Error('nothing was prepared')
    const attempt = await adapter.lane.sign(item, signer())
    await adapter.lane.broadcast([attempt])
    // As the first version of a payout; its change may be a coin of the next one.
    const isHeld = async () =>
      JSON.stringify((await prepare([payout()], first.position)).position).includes(`"txId":"${attempt.txId}"`)
    await chain.mine(1001, { empty: true })
    for (let round = 0; round < 5; round++) expect(await isHeld()).toBe(true)
    await chain.mine(SETTLE + 1)
    await expect.poll(isHeld).toBe(false)
  })
})

describe('a payout of several coins, one of which something else spent', () => {
  test('its other coins stay held, however long, until it is proven dead: the journal guards them until then', async () => {
    const coins = [await chain.fund(solver.addresses.p2wpkh, COIN), await chain.fund(solver.addresses.p2wpkh, COIN)]
    const large = payout({ money: { currency: NATIVE, amount: COIN + AMOUNT } })
    const first = await prepare([large], await begin())
    const [item] = first.prepared
    if (!item) throw new Error('nothing was prepared')
    expect(item.guards).toHaveLength(2)
    const { txId } = await adapter.lane.sign(item, signer())
    const spent = coins.slice(0, 1).map((coin) => ({ ...coin, value: COIN, form: 'p2wpkh' as const }))
    await chain.pay(solver, [{ to: vault.addresses.p2pkh, value: COIN - 10_000n }], {
      coins: spent,
      change: null,
      fee: 10_000n,
    })
    await chain.mine(SETTLE + 1)
    await chain.mine(1001, { empty: true })
    const isHeld = async () =>
      JSON.stringify((await prepare([payout()], first.position)).position).includes(`"txId":"${txId}"`)
    for (let round = 0; round < 12; round++) {
      expect(await isHeld()).toBe(true)
      await chain.mine()
    }
    await expect.poll(() => adapter.lane.payoutVerdict(item.guards, [txId])).toBe('dead')
    const { position } = await prepare([payout()], first.position)
    expect(JSON.stringify(position)).not.toContain(txId)
    const [next] = (await prepare([payout()], position)).prepared
    expect(next?.guards).toEqual([item.guards.find((guard) => guard !== `coin:${coins[0]?.txid}:0`)])
  })

  test('a proof of death is kept in the position, for the time when the payout is old', async () => {
    await fundSolver(3)
    const large = payout({ money: { currency: NATIVE, amount: COIN + AMOUNT } })
    const first = await prepare([large], await begin())
    const [item] = first.prepared
    if (!item) throw new Error('nothing was prepared')
    const [guard = ''] = item.guards
    const spent = [
      { txid: guard.split(':')[1] ?? '', vout: Number(guard.split(':')[2]), value: COIN, form: 'p2wpkh' as const },
    ]
    await chain.pay(solver, [{ to: vault.addresses.p2pkh, value: COIN - 10_000n }], {
      coins: spent,
      change: null,
      fee: 10_000n,
    })
    await chain.mine(SETTLE + 1)
    const { txId } = await adapter.lane.sign(item, signer())
    expect(await adapter.lane.payoutVerdict(item.guards, [txId])).toBe('dead')
    const { position } = await prepare([payout()], first.position)
    expect(position).toMatchObject({ payouts: [{ txId, dead: true }, {}] })
    await adapter.stop()
    adapter = openAdapter()
    await chain.mine(1001, { empty: true })
    await fundSolver(1)
    expect(JSON.stringify((await prepare([payout()], position)).position)).not.toContain(`"txId":"${txId}"`)
  })
})

describe('F118: a lane opens on more than one reading', () => {
  test('a payment that one provider hides, waiting or in a block, is shown by the other', async () => {
    await fundSolver(2)
    const { height } = await adapter.tip()
    const [item, before] = [payout(), await begin()]
    const sent = await signed(item, before)
    await adapter.lane.broadcast([sent])
    for (const api of ['esplora', 'rpc'] as const) {
      await chain.hide(sent.txId, { api })
      const first = await adapter.lane.read(solver.addresses.p2wpkh, null)
      expect(JSON.stringify(first.position)).toContain(sent.txId)
      expect(await adapter.lane.hasSent?.(solver.addresses.p2wpkh)).toBe(true)
      const later = await adapter.lane.read(solver.addresses.p2wpkh, { position: before, sinceHeight: height })
      expect(later).toMatchObject({ complete: true, unknown: [{ tx: { id: sent.txId }, orderId: item.orderId }] })
      await chain.hide(sent.txId, { api, shown: true })
    }
    await chain.mine()
    for (const api of ['esplora', 'rpc'] as const) {
      await chain.hide(sent.txId, { api })
      const later = await adapter.lane.read(solver.addresses.p2wpkh, { position: before, sinceHeight: height })
      expect(later).toMatchObject({ unknown: [{ tx: { id: sent.txId }, status: 'success' }] })
      await chain.hide(sent.txId, { api, shown: true })
    }
  })

  test('F121: read again from a spent coin on, what spent it comes back, however old the journal makes it', async () => {
    await fundSolver(1)
    const [before, ours, foreign] = [await begin(), payout(), payout()]
    const { prepared, position } = await adapter.lane.prepare([{ payout: ours, gas: null }], before)
    const lost = await signed(foreign, before)
    await adapter.lane.broadcast([lost])
    for (let at = 0; at < 20; at++) await chain.mine()
    const stored = { position, sinceHeight: (await adapter.tip()).height }
    expect((await adapter.lane.read(solver.addresses.p2wpkh, stored)).unknown).toEqual([])
    const again = await adapter.lane.readAgain(solver.addresses.p2wpkh, stored, prepared[0]?.guards ?? [])
    expect(again).toMatchObject({ complete: true, unknown: [{ tx: { id: lost.txId }, orderId: foreign.orderId }] })
  })

  test('while one of two providers is away it does not open', async () => {
    await chain.failNext({ api: 'rpc', status: 500, times: 20 })
    await expect(begin()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await chain.clearFaults()
    await begin()
  })
})

describe('withdrawals', () => {
  const deposited = [40_000n, 60_000n, 500_000n]

  beforeEach(async () => {
    for (const value of deposited) await chain.fund(vault.addresses.p2wpkh, value, { mine: false })
    await fundSolver(1)
    await chain.mine(SETTLE - 1)
  })

  const withdrawal = (amount: bigint): Payout =>
    payout({ purpose: 'withdraw', to: { address: solver.addresses.p2wpkh }, money: { currency: NATIVE, amount } })

  const held = async (address: string): Promise<bigint> =>
    (await adapter.getBalances([{ address, currency: NATIVE }])).amounts[0] ?? 0n

  test.each([60_000n, 560_000n, 600_000n, 123_456n])(
    'take just %s out of the depository; the solver pays the fee',
    async (amount) => {
      const item = withdrawal(amount)
      expect(await adapter.simulate(item)).toMatchObject({ ok: true })
      const attempt = await signed(item, await begin())
      await adapter.lane.broadcast([attempt])
      await chain.mine()
      const [state] = await adapter.lane.states([{ txId: attempt.txId, payout: item }])
      expect(state).toMatchObject({ status: 'success', paid: amount, fee: attempt.feeCap })
      expect(await held(vault.addresses.p2wpkh)).toBe(600_000n - amount)
      expect(await held(solver.addresses.p2wpkh)).toBe(COIN + amount - attempt.feeCap)
    },
  )

  test('need the allocator, and more than there is cannot be taken', async () => {
    const [prepared] = (await prepare([withdrawal(60_000n)], await begin())).prepared
    if (!prepared) throw new Error('nothing was prepared')
    await expect(adapter.lane.sign(prepared, signer())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await adapter.simulate(withdrawal(600_001n))).toMatchObject({ ok: false, kind: 'insufficient-funds' })
    // Nobody could spend the rest.
    expect(await adapter.simulate(withdrawal(599_900n))).toMatchObject({ ok: false, kind: 'insufficient-funds' })
  })

  test('take settled deposits only', async () => {
    await chain.fund(vault.addresses.p2wpkh, 900_000n)
    await chain.mine(SETTLE - 2)
    const item = withdrawal(900_000n)
    expect(await adapter.simulate(item)).toMatchObject({ ok: false, kind: 'insufficient-funds' })
    expect((await prepare([item], await begin())).prepared).toEqual([null])
    await chain.mine()
    expect(await adapter.simulate(item)).toMatchObject({ ok: true })
    expect((await prepare([item], await begin())).prepared[0]).not.toBeNull()
  })

  test('that are cancelled give the deposits back whole', async () => {
    const attempt = await signed(withdrawal(123_456n), await begin())
    await adapter.lane.broadcast([attempt])
    const cancel = await adapter.lane.cancel(attempt)
    if (cancel === null) throw new Error('not cancelled')
    await adapter.lane.broadcast([await adapter.lane.sign(cancel, signer(), allocator())])
    await chain.mine(SETTLE + 1)
    expect(await held(vault.addresses.p2wpkh)).toBe(600_000n)
    expect(await held(solver.addresses.p2wpkh)).toBe(COIN - cancel.feeCap)
    expect(await adapter.lane.payoutVerdict(attempt.guards, [attempt.txId])).toBe('dead')
  })

  test('whose cancellation is raised in fee, again and again: the deposits go back whole, the solver pays', async () => {
    const attempt = await signed(withdrawal(123_456n), await begin())
    await adapter.lane.broadcast([attempt])
    let last = await adapter.lane.cancel(attempt)
    for (let version = 0; version < 3; version++) {
      if (last === null) throw new Error('not raised')
      const sent = await adapter.lane.sign(last, signer(), allocator())
      expect(await adapter.lane.broadcast([sent])).toEqual([{ outcome: 'known' }])
      const next = await adapter.lane.replace(sent)
      expect(next).toMatchObject({ kind: 'cancel', guards: attempt.guards })
      expect(next?.feeCap).toBeGreaterThan(sent.feeCap)
      last = next
    }
    if (last === null) throw new Error('not raised')
    const final = await adapter.lane.sign(last, signer(), allocator())
    await adapter.lane.broadcast([final])
    await chain.mine(SETTLE + 1)
    expect(chain.node.chain.placeOf(final.txId)).toBeDefined()
    expect(await held(vault.addresses.p2wpkh)).toBe(600_000n)
    expect(await held(solver.addresses.p2wpkh)).toBe(COIN - final.feeCap)
    expect(await adapter.lane.payoutVerdict(attempt.guards, [attempt.txId])).toBe('dead')
  })
})

describe('dust of strangers', () => {
  /** Small outputs to the lane, so many in each transaction; the accounts of the chain send them by turns. */
  const sendDust = async (transactions: number, outputs: number): Promise<void> => {
    const dust = Array.from({ length: outputs }, () => ({ to: solver.addresses.p2wpkh, value: 600n }))
    for (let sent = 0; sent < transactions; sent++) {
      const stranger = chain.accounts[sent % chain.accounts.length]
      if (stranger !== undefined) await chain.pay(stranger, dust, { fee: BigInt(2_000 + 100 * outputs) })
    }
  }

  test('more waiting payments than a node shows hide no own one: known beneath them the lane opens, else when a block came', {
    timeout: 120_000,
  }, async () => {
    await fundSolver(2)
    const position = await begin()
    const { height: sinceHeight } = await adapter.tip()
    const made = await prepare([payout()], position)
    const [prepared] = made.prepared
    if (!prepared) throw new Error('nothing was prepared')
    const own = await adapter.lane.sign(prepared, signer())
    await adapter.lane.broadcast([own])
    await sendDust(60, 1)
    // A node that a busy machine makes too slow is asked again, as lanes do.
    const read = (stored: Json): Promise<LaneReading> =>
      adapter.lane
        .read(solver.addresses.p2wpkh, { position: stored, sinceHeight })
        .catch((error: unknown) => (ServiceError.is(error) && error.retryable ? read(stored) : Promise.reject(error)))
    expect(await read(made.position)).toMatchObject({ complete: true, unknown: [] })
    expect(await read(position)).toMatchObject({
      complete: false,
      gap: 'a node does not show all transactions of this key that wait',
    })
    await chain.mine()
    const reading = await read(position)
    expect(reading.complete).toBe(true)
    expect(reading.unknown.map(({ tx }) => tx.id)).toEqual([own.txId])
  })

  test('thousands of its coins neither enter payments nor slow them', async () => {
    await fundSolver(2)
    await sendDust(10, 300)
    await chain.mine(SETTLE + 1)
    const position = await begin()
    const begun = performance.now()
    const attempt = await signed(payout(), position)
    console.info(`a payment beside 3000 coins of dust: ${Math.round(performance.now() - begun)} ms`)
    expect(Transaction.fromHex(attempt.raw.slice(2)).ins).toHaveLength(1)
    await adapter.lane.broadcast([attempt])
    await chain.mine()
    expect(chain.node.chain.placeOf(attempt.txId)).toBeDefined()
  })
})

/** Its only input, as the chain's own wallet names it. */
const coinOf = ({ raw }: SignedAttempt) => {
  const [input] = Transaction.fromHex(raw.slice(2)).ins
  if (input === undefined) throw new Error('no input')
  return { txid: Buffer.from(input.hash).reverse().toString('hex'), vout: input.index }
}
