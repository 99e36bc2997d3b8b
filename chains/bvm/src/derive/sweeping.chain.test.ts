import { environmentOf, type Hex, type Json, systemClock } from '@causeway/core'
import {
  createSecp256k1Signer,
  NOTHING_LIVE,
  type Payout,
  type PreparedAttempt,
  type Signer,
  type WatchPage,
} from '@causeway/core/chain'
import { Psbt, Transaction } from 'bitcoinjs-lib'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { BvmAdapter } from '../bvmAdapter.js'
import { NETWORKS } from '../network/networks.js'
import { accountOf, type BitcoinAccount, type LocalBitcoin, startLocalBitcoin } from '../testing/index.js'
import { accountOfSeed } from './depositAddress.js'

const SETTLE = 3
const SEED = new Uint8Array(32).fill(0x11)
const COIN = 1_000_000n

let chain: LocalBitcoin
let keys: { readonly solver: string; readonly vault: string }
let solver: BitcoinAccount
let vault: BitcoinAccount
let adapter: BvmAdapter
let numbers = 0

beforeAll(async () => {
  chain = await startLocalBitcoin({ policy: { coinbaseMaturity: 1, maxDataOutputs: 3 } })
  await chain.setFeeRates({ 2: 2000n })
})

const accountOfKey = (key: string) => accountOf(Uint8Array.from(Buffer.from(key, 'hex')))

/** Each test has keys of its own. */
beforeEach(async () => {
  numbers += 1
  const keyOf = (kind: string) => `${kind}${numbers.toString(16).padStart(4, '0')}`.padEnd(64, '6')
  keys = { solver: keyOf('61'), vault: keyOf('62') }
  solver = accountOfKey(keys.solver)
  vault = accountOfKey(keys.vault)
  adapter = openAdapter()
  for (let at = 0; at < 3; at++) await chain.fund(solver.addresses.p2wpkh, COIN, { mine: false })
  await chain.mine()
})

afterEach(() => adapter.stop())

afterAll(() => chain.close())

const openAdapter = (withKey = true): BvmAdapter => {
  const config = {
    id: 9_000_002,
    slug: 'local-bvm',
    name: 'Local',
    package: '@causeway/chain-bvm',
    rpc: [
      { http: chain.url, provider: 'one' },
      { http: chain.rpcUrl, provider: 'two' },
    ],
    currencies: [],
    confirmations: { fill: 1, success: 1, settle: SETTLE, settleSeconds: 0 },
    solver: solver.addresses.p2wpkh,
    enabled: true,
    options: {},
  }
  const depositAccountKey = accountOfSeed(SEED, NETWORKS.regtest).publicExtendedKey
  const options = {
    depository: vault.addresses.p2wpkh,
    network: 'regtest' as const,
    access: ['esplora' as const, 'core' as const],
    minFeeRate: 2,
    maxFeeRate: 20,
    pollIntervalMs: 20,
    payoutsPerTransaction: 3,
    ...(withKey && { depositAccountKey }),
  }
  return new BvmAdapter(options, {
    config,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    environment: environmentOf({}),
  })
}

const signer = (): Signer => createSecp256k1Signer(`0x${keys.solver}`)

const addresses = () => {
  if (adapter.depositAddresses === undefined) throw new Error('no deposit addresses')
  return adapter.depositAddresses
}

/** A new deposit address, and the payout that sweeps it. */
const given = () => {
  numbers += 1
  const orderId: Hex = `0x${numbers.toString(16).padStart(64, 'd')}`
  const terms = { orderId, depositor: chain.miner.addresses.p2wpkh }
  const derived = addresses().derive?.(terms)
  if (derived === undefined) throw new Error('nothing was derived')
  const payout: Payout = {
    purpose: 'sweep',
    orderId,
    from: solver.addresses.p2wpkh,
    to: { address: adapter.depository },
    money: { currency: NATIVE, amount: 1n },
    calls: [],
    sweep: { address: { ...terms, ...derived }, currencies: [NATIVE] },
  }
  return { orderId, address: derived.destination.address, payout }
}

const begin = async (): Promise<Json> => (await adapter.lane.read(solver.addresses.p2wpkh, null)).position

const prepare = (payouts: readonly Payout[], position: Json, { lane }: Pick<BvmAdapter, 'lane'> = adapter) =>
  lane.prepare(
    payouts.map((payout) => ({ payout, gas: null })),
    position,
  )

const preparedOf = async (payout: Payout): Promise<PreparedAttempt> => {
  const [prepared] = (await prepare([payout], await begin())).prepared
  if (!prepared) throw new Error('nothing was prepared')
  return prepared
}

const sign = (prepared: PreparedAttempt) => adapter.lane.sign(prepared, signer(), undefined, SEED)

/** Deposits that the ordinary watcher shows from a height on, up to the tip. */
const depositsFrom = async (cursor: Json): Promise<WatchPage['deposits']> => {
  const stop = new AbortController()
  const { height } = await adapter.tip()
  const found: WatchPage['deposits'][number][] = []
  for await (const page of adapter.watch(cursor, NOTHING_LIVE, stop.signal)) {
    found.push(...page.deposits.filter(({ state }) => state === 'included'))
    if (page.height >= height) break
  }
  stop.abort()
  return found
}

const cursorNow = async (): Promise<Json> => {
  const stop = new AbortController()
  for await (const { cursor } of adapter.watch(null, NOTHING_LIVE, stop.signal)) return cursor
  throw new Error('no page')
}

describe('chains.md bvm 8: one transaction sweeps many addresses', () => {
  test('each is a deposit of its own order, of just what lay there, and is read back as a sweep of it', async () => {
    const [one, two, fill] = [given(), given(), given()]
    await chain.fund(one.address, 40_000n)
    await chain.fund(one.address, 3000n)
    await chain.fund(two.address, 50_000n)
    const [cursor, position, { height }] = [await cursorNow(), await begin(), await adapter.tip()]
    const { sweep: _, ...paid } = fill.payout
    const recipient = { address: chain.miner.addresses.p2tr }
    const payment: Payout = { ...paid, purpose: 'fill', to: recipient, money: { currency: NATIVE, amount: 9000n } }
    const { prepared } = await prepare([one.payout, payment, two.payout], position)
    const [first, other, second] = prepared
    expect(first).not.toBeNull()
    expect(first).toBe(second)
    expect(other).not.toBe(first)
    if (!first) return
    const attempt = await sign(first)
    expect(await adapter.lane.broadcast([attempt])).toEqual([{ outcome: 'known' }])
    await chain.mine()
    const sent = [one, two].map(({ payout }) => ({ txId: attempt.txId, payout }))
    const states = await adapter.lane.states(sent)
    expect(states.map(({ paid }) => paid)).toEqual([43_000n, 50_000n])
    const elsewhere = await adapter.lane.states([{ txId: attempt.txId, payout: fill.payout }])
    expect(elsewhere[0]?.paid).toBe(0n)
    const found = await depositsFrom(cursor)
    const wanted = [
      { orderId: one.orderId, amount: 43_000n, depositor: one.address, position: 0, index: 1 },
      { orderId: two.orderId, amount: 50_000n, depositor: two.address, position: 1, index: 3 },
    ]
    const read = found.map(({ orderId, money, depositor, position, index }) => {
      return { orderId, amount: money.amount, depositor, position, index }
    })
    expect(read).toEqual(wanted)
    const confirmed = await Promise.all(found.map((deposit) => adapter.confirmDeposit(deposit, { agreeing: 2 })))
    expect(confirmed).toEqual([true, true])
    const { unknown } = await adapter.lane.read(solver.addresses.p2wpkh, { position, sinceHeight: height })
    expect(unknown).toMatchObject(
      wanted.map(({ orderId, amount }) => {
        return { purpose: 'sweep', orderId, to: adapter.depository, money: { currency: NATIVE, amount } }
      }),
    )
    expect(unknown.map(({ fee }) => fee)).toEqual([attempt.feeCap, undefined])
  })

  test('two sweeps of one address share nothing: the second waits for what comes later', async () => {
    const one = given()
    await chain.fund(one.address, 40_000n)
    const first = await prepare([one.payout, one.payout], await begin())
    expect(first.prepared.map((item) => item === null)).toEqual([false, true])
    const late = await chain.fund(one.address, 7000n)
    const [next] = (await prepare([one.payout], first.position)).prepared
    expect(next?.guards).toContain(`coin:${late.txid}:${late.vout}`)
    expect(next?.guards.filter((guard) => first.prepared[0]?.guards.includes(guard))).toEqual([])
  })
})

describe('who may sweep, and where to', () => {
  test('without the seed, or with another one, nothing is signed', async () => {
    const one = given()
    await chain.fund(one.address, 40_000n)
    const prepared = await preparedOf(one.payout)
    await expect(adapter.lane.sign(prepared, signer())).rejects.toThrow(/seed/)
    const other = adapter.lane.sign(prepared, signer(), undefined, new Uint8Array(32).fill(0x12))
    await expect(other).rejects.toThrow(/not the one/)
    await expect(sign(prepared)).resolves.toMatchObject({ kind: 'pay' })
  })

  test('a stored sweep that was changed, so that it pays anybody else or names another order, is not signed', async () => {
    const [one, two] = [given(), given()]
    await chain.fund(one.address, 40_000n)
    const prepared = await preparedOf(one.payout)
    const text = JSON.stringify(prepared.transaction)
    const scriptOf = ({ scripts }: BitcoinAccount) => Buffer.from(scripts.p2wpkh).toString('hex')
    const textOf = (orderId: Hex) => Buffer.from(orderId).toString('hex')
    for (const changed of [
      text.replaceAll(scriptOf(vault), scriptOf(chain.miner)),
      text
        .replace('"value":"40000"', '"value":"40000"')
        .replace(/"outputs":\[\{"value":"40000"/, '"outputs":[{"value":"39000"'),
      text.replace(textOf(one.orderId), textOf(two.orderId)),
      text
        .replace('"changeAt"', '"x"')
        .replace(
          /\},\{"value":"\d+","script":"[0-9a-f]+"\}\]/,
          `},{"value":"900000","script":"${scriptOf(chain.miner)}"}]`,
        ),
    ]) {
      expect(changed).not.toBe(text)
      const transaction: Json = JSON.parse(changed)
      await expect(sign({ ...prepared, transaction })).rejects.toThrow(/somebody else/)
    }
  })

  test('a sweep to anywhere but the depository, or of another order than that of its address, is not simulated', async () => {
    const one = given()
    await chain.fund(one.address, 40_000n)
    expect(await adapter.simulate(one.payout)).toMatchObject({ ok: true })
    for (const wrong of [{ to: { address: chain.miner.addresses.p2wpkh } }, { orderId: given().orderId }]) {
      expect(await adapter.simulate({ ...one.payout, ...wrong })).toMatchObject({ ok: false, kind: 'revert' })
    }
    const empty = await adapter.simulate(given().payout)
    expect(empty).toMatchObject({ ok: false, kind: 'revert', message: expect.stringMatching(/nothing/i) })
  })
})

describe('a sweep that does not land', () => {
  const isFree = async (payout: Payout, position: Json, { lane }: BvmAdapter) =>
    (await prepare([payout], position, { lane })).prepared[0] !== null

  test('cancelled, it is dead, and what lies at its address is free for the next, after a restart too', async () => {
    const one = given()
    await chain.fund(one.address, 40_000n)
    const first = await prepare([one.payout], await begin())
    const [item] = first.prepared
    if (!item) throw new Error('nothing was prepared')
    const attempt = await sign(item)
    await adapter.lane.broadcast([attempt])
    const draft = await adapter.lane.cancel(item)
    if (draft === null) throw new Error('not cancelled')
    // The seed is not asked for: nothing but coins of the lane is spent.
    const cancelled = await adapter.lane.sign(draft, signer())
    expect(await adapter.lane.broadcast([cancelled])).toEqual([{ outcome: 'known' }])
    await chain.mine()
    expect(await isFree(one.payout, first.position, adapter)).toBe(false)
    expect(await adapter.lane.payoutVerdict(item.guards, [attempt.txId])).toBe('alive')
    await chain.mine(SETTLE)
    const restarted = openAdapter()
    // From the chain alone: the verdict was given to a process that is gone.
    await expect.poll(() => isFree(one.payout, first.position, restarted)).toBe(true)
    await restarted.stop()
    expect(await adapter.lane.payoutVerdict(item.guards, [attempt.txId])).toBe('dead')
    const next = await prepare([one.payout], first.position)
    const [again] = next.prepared
    if (!again) throw new Error('nothing was prepared')
    const landed = await sign(again)
    expect(await adapter.lane.broadcast([landed])).toEqual([{ outcome: 'known' }])
    await chain.mine()
    const [state] = await adapter.lane.states([{ txId: landed.txId, payout: one.payout }])
    expect(state).toMatchObject({ status: 'success', paid: 40_000n })
  })

  test('another deployment swept first: dead once that is final, and nothing is left to sweep', async () => {
    const one = given()
    await chain.fund(one.address, 40_000n)
    const position = await begin()
    const [mine] = (await prepare([one.payout], position)).prepared
    const foreign = accountOfKey('63'.repeat(32))
    await chain.fund(foreign.addresses.p2wpkh, COIN)
    const payout = { ...one.payout, from: foreign.addresses.p2wpkh }
    const [theirs] = (await prepare([payout], position)).prepared
    if (!mine || !theirs) throw new Error('nothing was prepared')
    const { txId } = await sign(mine)
    const other = await adapter.lane.sign(theirs, createSecp256k1Signer(`0x${'63'.repeat(32)}`), undefined, SEED)
    await adapter.lane.broadcast([other])
    await chain.mine(SETTLE + 1)
    expect(await adapter.lane.payoutVerdict(mine.guards, [txId])).toBe('dead')
    expect(await adapter.simulate(one.payout)).toMatchObject({ ok: false, kind: 'revert' })
    const { sweep } = one.payout
    expect(sweep && (await addresses().holdings([sweep.address], [NATIVE]))).toEqual([[]])
  })
})

describe('around sweeps', () => {
  test('E.1: the payment of a quote is a PSBT of the user’s coins, a plain payment without an order id', async () => {
    const [user] = chain.accounts
    if (user === undefined) throw new Error('no account')
    const { address } = given()
    const from = user.addresses.p2wpkh
    const money = { currency: NATIVE, amount: 55_000n }
    const [step, ...others] = await addresses().buildPayment({ from, to: { address }, money })
    expect([others.length, step?.kind]).toEqual([0, 'transaction'])
    expect(step?.description).toBe('Sends the funds to the deposit address')
    // CAST: the shape of a step item of Bitcoin (wire.md A.5).
    const { psbt } = (step?.data ?? {}) as unknown as { readonly psbt: string }
    const made = Psbt.fromHex(psbt, { network: chain.network }).signAllInputs(user.key).finalizeAllInputs()
    const { outs } = made.extractTransaction()
    expect(outs.map(({ value }) => value)[0]).toBe(55_000n)
    expect(outs.some(({ script }) => script[0] === 0x6a)).toBe(false)
    await chain.send(made.extractTransaction())
    await chain.mine()
    const poor = addresses().buildPayment({ from: given().address, to: { address }, money })
    await expect(poor).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' })
  })

  test('without the account’s key in the options there are no deposit addresses', async () => {
    const without = openAdapter(false)
    expect(without.depositAddresses).toBeUndefined()
    await without.stop()
  })

  test('a sweep pays the fee out of the lane’s coins alone', async () => {
    const one = given()
    await chain.fund(one.address, 40_000n)
    const attempt = await sign(await preparedOf(one.payout))
    const { ins, outs } = Transaction.fromHex(attempt.raw.slice(2))
    expect([ins.length, outs.length]).toEqual([2, 3])
    expect(outs[0]?.value).toBe(40_000n)
    expect(COIN - (outs[2]?.value ?? 0n)).toBe(attempt.feeCap)
    const { network } = await addresses().sweepFee(NATIVE)
    expect(network.amount).toBe(attempt.feeCap)
  })
})
