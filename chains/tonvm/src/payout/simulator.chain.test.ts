import { randomBytes } from 'node:crypto'
import { bytesToHex, environmentOf, systemClock } from '@causeway/core'
import { createEd25519Signer, type Payout, type Simulation } from '@causeway/core/chain'
import { beginCell, Cell, contractAddress } from '@ton/core'
import { loadConfigParamsAsSlice } from '@ton/ton/dist/config/ConfigParser.js'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TonAdapter, tonAdapter } from '../adapter.js'
import { NATIVE } from '../address/addresses.js'
import { addressOfKey } from '../address/wallets.js'
import { JettonWallets } from '../read/jettonWallets.js'
import { openNodes } from '../rpc/probe.js'
import { GIVER, internalMessage } from '../testing/engine/internalMessage.js'
import { CLOSED, contractCode, walletWith } from '../testing/jetton/variants.test.support.js'
import { startTestedTon, type TestedTon, TON } from '../testing/testedTon.test.support.js'
import { PaymentRunner } from './emulation/paymentRun.js'
import { paymentForm } from './paymentForm.js'

const NETWORK_ID = -239
const ARRIVAL = 6
const GAS_PRICES = 21
const UNITS = 1_000_000n
/** Nanotons by which the simulated fee may differ: rent. */
const FEE_ERROR = 1000n

const logger = pino({ level: 'silent' })
const solver = createEd25519Signer(bytesToHex(randomBytes(32)))
const from = addressOfKey(solver.publicKey, NETWORK_ID)
const freshAddress = () => addressOfKey(createEd25519Signer(bytesToHex(randomBytes(32))).publicKey, NETWORK_ID)

let network: TestedTon
let adapter: TonAdapter
let [plain, taxed, closed, burning] = ['', '', '', '']

const jettonWith = async (other: string): Promise<string> => {
  const { address } = await network.jetton(await walletWith(other))
  return address.toRawString()
}

/** Deploys a contract and returns its raw address. */
const deployed = async (body: string): Promise<string> => {
  const init = { code: Cell.fromBase64(await contractCode(body)), data: Cell.EMPTY }
  const address = contractAddress(0, init)
  await network.chain.apply({ ...internalMessage(GIVER, address, TON), init })
  return address.toRawString()
}

const payout = (to: string, amount: bigint, currency = NATIVE): Payout => ({
  ...{ purpose: 'fill', orderId: bytesToHex(randomBytes(32)), from, calls: [] },
  ...{ to: { address: to }, money: { currency, amount } },
})

/** Pays, and returns the state of the payment after everything arrived. */
const paid = async (each: Payout) => {
  const { position } = await adapter.lane.read(from, null)
  const { prepared } = await adapter.lane.prepare([{ payout: each, gas: null }], position)
  const [item] = prepared
  if (item == null) throw new Error('Nothing was prepared')
  const attempt = await adapter.lane.sign(item, solver)
  await adapter.lane.broadcast([attempt])
  await network.chain.advance(ARRIVAL)
  const { txId, locator } = attempt
  const [state] = await adapter.lane.states([{ txId, payout: each, ...(locator !== undefined && { locator }) }])
  return state
}

/** A node that was asked nothing yet, and a payment. */
const asked = async (to = freshAddress(), amount = TON) => {
  const rpc = [{ ...network.chain.endpoint, provider: 'local' }]
  const pool = openNodes({
    ...{ endpoints: rpc, logger },
    settings: { protocols: [], rpcTimeoutMs: 5000, genesisHash: null },
  })
  const [node] = pool.ordered()
  if (node === undefined) throw new Error('There is no node')
  return { node, form: await paymentForm(payout(to, amount), from, { pool, wallets: new JettonWallets([]) }) }
}

const gasOf = (simulation: Simulation): bigint => (simulation.ok ? simulation.gas : 0n)

beforeAll(async () => {
  network = await startTestedTon()
  plain = (await network.jetton()).address.toRawString()
  taxed = await jettonWith('state.balance += message.amount * 99 / 100;')
  closed = await jettonWith(CLOSED)
  burning = await jettonWith('var n = 0; while (!isMinted) { n += 1; } state.balance += message.amount;')
  await network.chain.fund(from, 1000n * TON)
  for (const jetton of [plain, taxed, closed, burning]) await network.chain.fund(from, 1000n * UNITS, jetton)
  await network.chain.advance(2)
  const rpc = [{ ...network.chain.endpoint, provider: 'local' }]
  const config = {
    ...{ id: 71_011, slug: 'local-ton', name: 'Local', package: '@causeway/chain-tonvm', rpc, solver: from },
    currencies: [{ address: NATIVE, symbol: 'TON', name: 'Toncoin', decimals: 9, groupId: 'ton' }],
    confirmations: { fill: 1, success: 1, settle: 0, settleSeconds: 0 },
    ...{ enabled: true, options: {} },
  }
  const options = { depository: freshAddress(), lifetimeSeconds: 120, pollIntervalMs: 50, endpointCheckMs: 200 }
  adapter = tonAdapter(options, { config, clock: systemClock, logger, environment: environmentOf({}) })
  await adapter.start(new AbortController().signal)
}, 120_000)

afterAll(async () => {
  await adapter?.stop()
  await network?.close()
})

it('a payment of a wallet without code is not run, and says so', async () => {
  expect(await adapter.simulate(payout(freshAddress(), TON))).toMatchObject({
    ok: true,
    notRun: expect.stringContaining('no code yet'),
  })
  expect((await paid(payout(freshAddress(), TON)))?.status).toBe('success')
})

describe('a payment that was run', () => {
  it('arrives and costs what the network then shows', async () => {
    for (const [currency, amount] of [
      [NATIVE, 3n * TON],
      [plain, 5n * UNITS],
    ] as const) {
      const each = payout(freshAddress(), amount, currency)
      const simulation = await adapter.simulate(each)
      expect(simulation).toMatchObject({ ok: true })
      expect(simulation).not.toHaveProperty('notRun')
      const state = await paid(each)
      expect(state?.paid).toBe(amount)
      const difference = gasOf(simulation) - (state?.fee ?? 0n)
      expect(difference < FEE_ERROR && difference > -FEE_ERROR, `${gasOf(simulation)} ${state?.fee}`).toBe(true)
      const { network: fee } = await adapter.estimatePayoutFee(each, simulation)
      expect(fee.amount).toBe(gasOf(simulation))
    }
  })

  it('above the balance is not sent', async () => {
    expect(await adapter.simulate(payout(freshAddress(), 5000n * TON))).toMatchObject({ kind: 'insufficient-funds' })
    const short = payout(freshAddress(), 5000n * UNITS, plain)
    expect(await adapter.simulate(short)).toMatchObject({ kind: 'insufficient-funds' })
  })

  it('of a jetton that takes a part fails, and the part is what arrives', async () => {
    // The jetton reports the whole amount to the recipient, and credits 99 of 100.
    const simulation = await adapter.simulate(payout(freshAddress(), 100n * UNITS, taxed))
    expect(simulation).toMatchObject({ ok: false, kind: 'revert' })
  })

  it('of a jetton whose wallets take none fails, and the network agrees', async () => {
    const each = payout(freshAddress(), UNITS, closed)
    expect(await adapter.simulate(each)).toMatchObject({ ok: false, kind: 'recipient-cannot-receive' })
    expect(await paid(each)).toMatchObject({ status: 'reverted', paid: 0n })
  })

  it('to a contract that fails arrives, since it does not bounce', async () => {
    const each = payout(await deployed('if (!in.body.isEmpty()) { throw 77; }'), TON)
    expect(await adapter.simulate(each)).toMatchObject({ ok: true })
    expect(await paid(each)).toMatchObject({ status: 'success', paid: TON })
  })

  it('to a contract that sends it back fails', async () => {
    const back = await deployed(`if (!in.body.isEmpty()) {
      createMessage({ bounce: false, value: 0, dest: in.senderAddress }).send(64);
    }`)
    expect(await adapter.simulate(payout(back, TON))).toMatchObject({ kind: 'recipient-cannot-receive' })
  })

  it('ends where a wallet of the jetton burns all gas', async () => {
    const begun = performance.now()
    const simulation = await adapter.simulate(payout(freshAddress(), UNITS, burning))
    expect(simulation).toMatchObject({ ok: false, kind: 'recipient-cannot-receive' })
    expect(performance.now() - begun).toBeLessThan(20_000)
  })

  it('that causes too many messages is not judged, and says so', async () => {
    const endless = await deployed(`if (in.valueCoins > 2000000000) {
      createMessage({ bounce: false, value: 0, dest: contract.getAddress() }).send(64);
    }`)
    const { node, form } = await asked(endless, 50n * TON)
    const run = await new PaymentRunner(NETWORK_ID).run(node, form)
    expect(run).toMatchObject({ kind: 'sides', message: expect.stringContaining('too many messages') })
  })

  it('beyond its time limit is not judged, says so, and never blocks the process', async () => {
    const late = { kind: 'sides', message: 'Running the payment takes too long.' }
    const { node, form } = await asked()
    expect(await new PaymentRunner(NETWORK_ID, -1).run(node, form)).toMatchObject(late)
    const endless = await deployed('var turn = 0; while (!in.body.isEmpty()) { turn += 1; }')
    const params = loadConfigParamsAsSlice(await node.ask((api, signal) => api.config(signal)))
    const prices = params.get(GAS_PRICES)
    if (prices === undefined) throw new Error('There are no gas prices')
    // Tag, flat limit, flat price, tag and price precede the limit.
    const before = prices.loadBits(8 + 128 + 8 + 64)
    const other = beginCell()
      .storeBits(before)
      .storeUint(2n ** 40n, 64)
      .storeSlice(prices.skip(64))
      .endCell()
    await network.chain.setConfigParam(GAS_PRICES, other)
    const hostile = await asked(endless, 900n * TON)
    let ticks = 0
    const timer = setInterval(() => (ticks += 1), 10)
    expect(await new PaymentRunner(NETWORK_ID, 2000).run(hostile.node, hostile.form)).toMatchObject(late)
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(20)
    // The thread that was ended is started again.
    expect(await new PaymentRunner(NETWORK_ID).run(node, form)).toMatchObject({ kind: 'sides', message: '' })
  })
})
