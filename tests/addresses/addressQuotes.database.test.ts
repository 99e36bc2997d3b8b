import type { Hex } from '@causeway/core'
import { findAddresses, parseTerms } from '@causeway/core/plugin'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TOKEN, usdc, ZERO } from './addressChain.js'
import { type AddressWorld, addressBody, RECIPIENT, REFUND, startAddressWorld, USER } from './addressWorld.js'

let world: AddressWorld

beforeAll(async () => {
  world = await startAddressWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  world.mood.holdings.clear()
  world.mood.derived.length = 0
})

const quote = async (changes: Readonly<Record<string, unknown>> = {}, key?: string) => {
  const { status, body } = await world.post('/quote', addressBody(changes), key)
  expect([status, body.message]).toEqual([200, undefined])
  return body
}
const refused = async (changes: Readonly<Record<string, unknown>>, path = '/quote') => {
  const { status, body } = await world.post(path, addressBody(changes))
  return { status, errorCode: body.errorCode, message: body.message }
}
const counted = async (table: string): Promise<number> =>
  (await world.pool.query(`select count(*)::int as n from ${table}`)).rows[0].n

const storedOf = async (requestId: Hex) => {
  const [address] = await findAddresses(world.pool, { requestId })
  const { rows } = await world.pool.query(
    `select terms, order_data, quoted, body from quotes where id = decode($1, 'hex')`,
    [requestId.slice(2)],
  )
  const [row] = rows
  return { address, terms: parseTerms(row.terms), order: JSON.parse(row.order_data), quoted: JSON.parse(row.quoted) }
}

describe('wire.md E.1', () => {
  it('one deposit step with the address and a plain transfer to it, with the only check', async () => {
    const { steps, requestId } = await quote()
    expect(steps).toHaveLength(1)
    const [{ items, ...step }] = steps
    expect(step).toMatchObject({ id: 'deposit', kind: 'transaction', requestId })
    expect(step.depositAddress).toMatch(/^0x[0-9a-f]{40}$/)
    const check = { endpoint: `/intents/status?requestId=${requestId}`, method: 'GET' }
    expect(items).toEqual([
      {
        status: 'incomplete',
        data: { from: USER, to: step.depositAddress, value: '100000000', data: '0x', currency: usdc(1), chainId: 1 },
        check,
      },
    ])
  })

  it('address, terms and order are stored together: 180 days, the whole deposit, no refund named', async () => {
    const { steps, requestId } = await quote()
    const { address, terms, order, quoted } = await storedOf(requestId)
    const deadline = world.clock.time / 1000 + 180 * 86_400
    expect(address).toMatchObject({
      ...{ chainId: 1, destination: { address: steps[0].depositAddress }, type: 'open', orderId: terms.orderId },
      ...{ requestId, depositor: USER, currency: usdc(1), refundTo: null, recoveryAddress: null, integratorId: null },
      liveUntil: deadline * 1000,
    })
    expect(terms).toMatchObject({
      ...{ refundTo: null, orderDeadline: deadline, address: { type: 'open', refundToSender: false } },
      ...{ depositAmount: 100_000_000n, minimumDeposit: 100_000_000n },
    })
    expect(order.inputs[0].refunds).toEqual([])
    expect(quoted.features).toEqual(['deposit_address'])
  })

  it('the user pays for the sweep, with the fees of the service', async () => {
    const before = (await quote()).fees
    world.mood.sweepFee *= 2n
    const after = (await quote()).fees
    world.mood.sweepFee /= 2n
    // 0.0001 ETH at 2000 dollars.
    expect(Number(after.relayerService.amount) - Number(before.relayerService.amount)).toBe(200_000)
    expect(after.relayerGas.amount).toBe(before.relayerGas.amount)
  })

  it.each([
    ['destination calls', { txs: [{ to: RECIPIENT, value: '0', data: '0x' }] }, 'EXTRA_TXS_NOT_SUPPORTED'],
    ['subsidizationBps', { subsidizationBps: 5000 }, 'INVALID_SUBSIDIZATION'],
    ['sponsoredFeeComponents', { sponsoredFeeComponents: ['app'] }, 'INVALID_SUBSIDIZATION'],
    ['an origin currency that the solver does not hold', { originCurrency: TOKEN }, 'UNSUPPORTED_CURRENCY'],
    ['a chain without addresses', { originChainId: 4, originCurrency: usdc(4) }, 'UNSUPPORTED_EXECUTION_TYPE'],
    ['a deposit without approval', { explicitDeposit: false }, 'INVALID_REQUEST'],
    ['a fee payer', { depositFeePayer: REFUND }, 'INVALID_REQUEST'],
  ])('%s is refused, of a price too', async (_what, changes, code) => {
    const rows = await counted('deposit_addresses')
    for (const path of ['/quote', '/price']) {
      expect(await refused(changes, path)).toMatchObject({ status: 400, errorCode: code })
    }
    expect(await counted('deposit_addresses')).toBe(rows)
  })

  it('user may be the zero address or a placeholder; then the recipient must be named', async () => {
    for (const user of [ZERO, '0x000000000000000000000000000000000000dead']) {
      expect((await quote({ user })).steps[0].depositAddress).toMatch(/^0x/)
      expect(await refused({ user, recipient: undefined })).toMatchObject({
        status: 400,
        errorCode: 'INVALID_RECIPIENT',
      })
    }
  })

  it('on one chain the solver fills: the same currency for somebody else', async () => {
    const { steps } = await quote({ destinationChainId: 1, destinationCurrency: usdc(1) })
    expect(steps.map(({ id }: { id: string }) => id)).toEqual(['deposit'])
  })

  it('a price says what the quote says, without an address given (wire.md K.1 3)', async () => {
    const rows = await counted('deposit_addresses')
    const { status, body } = await world.post('/price', addressBody())
    expect(status).toBe(200)
    expect(await counted('deposit_addresses')).toBe(rows)
    expect(body.fees.relayer).toEqual((await quote()).fees.relayer)
  })
})

describe('wire.md E.2', () => {
  const swapped = { destinationCurrency: TOKEN }

  it('open, refundTo: may be left out', async () => {
    expect((await storedOf((await quote()).requestId)).terms.refundTo).toBeNull()
  })

  it('open, refundTo: required with a destination swap', async () => {
    for (const path of ['/quote', '/price']) {
      expect(await refused(swapped, path)).toMatchObject({
        status: 400,
        errorCode: 'INVALID_REQUEST',
        message: expect.stringContaining('refundTo'),
      })
    }
    expect((await quote({ ...swapped, refundTo: REFUND })).steps).toHaveLength(1)
    expect((await quote({ ...swapped, refundTo: ZERO })).steps).toHaveLength(1)
  })

  it('strict, refundTo: required, else rejected', async () => {
    expect(await refused({ strict: true })).toMatchObject({
      status: 400,
      errorCode: 'INVALID_REQUEST',
      message: expect.stringContaining('refundTo'),
    })
    const { terms, address } = await storedOf((await quote({ strict: true, refundTo: REFUND })).requestId)
    expect(terms).toMatchObject({ refundTo: { address: REFUND }, address: { type: 'strict', refundToSender: false } })
    expect(address).toMatchObject({ type: 'strict', refundTo: REFUND })
  })

  it.each([
    ['open', {}, ['EXACT_INPUT', 'EXPECTED_OUTPUT'], ['EXACT_OUTPUT']],
    ['strict', { strict: true, refundTo: REFUND }, ['EXACT_INPUT', 'EXPECTED_OUTPUT', 'EXACT_OUTPUT'], []],
  ])('%s, trade types', async (_type, changes, served, others) => {
    for (const tradeType of served) {
      const { requestId } = await quote({ ...changes, tradeType })
      const { terms } = await storedOf(requestId)
      expect([terms.tradeType, terms.minimumDeposit]).toEqual([tradeType, terms.depositAmount])
    }
    for (const tradeType of others) expect(await refused({ tradeType })).toMatchObject({ status: 400 })
  })

  it('strict without an address is refused', async () => {
    expect(await refused({ useDepositAddress: false, strict: true })).toMatchObject({
      status: 400,
      errorCode: 'INVALID_REQUEST',
    })
  })
})

describe('wire.md E.5', () => {
  it('refundTo, ordinary address: the order and the terms name it', async () => {
    const { terms, order } = await storedOf((await quote({ refundTo: REFUND })).requestId)
    expect(terms.refundTo).toEqual({ address: REFUND })
    expect(order.inputs[0].refunds).toMatchObject([{ recipient: REFUND, currency: usdc(1) }])
  })

  it('refundTo, native marker: back to whoever sent it, nobody in the order', async () => {
    const { terms, order, address } = await storedOf((await quote({ refundTo: ZERO })).requestId)
    expect(terms).toMatchObject({ refundTo: null, address: { refundToSender: true } })
    expect(order.inputs[0].refunds).toEqual([])
    expect(address?.refundTo).toBe(ZERO)
  })

  it('refundTo, native marker: rejected on chains that cannot pay back to a sender', async () => {
    const answer = await refused({ originChainId: 3, originCurrency: usdc(3), refundTo: ZERO })
    expect(answer).toMatchObject({ status: 400, errorCode: 'INVALID_ADDRESS' })
  })

  it('recoveryAddress: needs an address, is valid on the origin, is no native marker; kept beside refundTo', async () => {
    expect(await refused({ useDepositAddress: false, recoveryAddress: REFUND })).toMatchObject({
      status: 400,
      errorCode: 'INVALID_REQUEST',
    })
    for (const recoveryAddress of ['nonsense', ZERO, `0x${'de'.repeat(20)}`]) {
      expect(await refused({ recoveryAddress })).toMatchObject({ status: 400, errorCode: 'INVALID_ADDRESS' })
    }
    expect(await refused({ recoveryAddress: REFUND, strict: true })).toMatchObject({
      status: 400,
      errorCode: 'INVALID_REQUEST',
    })
    const { address, terms } = await storedOf((await quote({ recoveryAddress: REFUND })).requestId)
    expect(address?.recoveryAddress).toBe(REFUND)
    expect(terms.refundTo).toBeNull()
  })
})

describe('an address is given once (faults.md F18)', () => {
  it('one that was given before refuses the quote and changes nothing', async () => {
    const { steps } = await quote()
    const given = steps[0].depositAddress
    const [quotes, addresses] = [await counted('quotes'), await counted('deposit_addresses')]
    world.mood.derived.push(given, given)
    // The derivation says the order, so only the address collides.
    const { status, body } = await world.post('/quote', addressBody())
    expect([status, body.errorCode]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect([await counted('quotes'), await counted('deposit_addresses')]).toEqual([quotes, addresses])
  })

  it('where terms have several, the first that no order has is told, and is known again', async () => {
    const { steps } = await quote()
    const given = steps[0].depositAddress
    world.mood.turns = 2
    world.mood.derived.push(given)
    const answer = await quote()
    expect(answer.steps[0].depositAddress).not.toBe(given)
    const { body } = await world.get(`/deposit-addresses/v1?requestId=${answer.requestId}`, 'shop')
    expect(body).toMatchObject({ depositAddress: answer.steps[0].depositAddress })
    const quotes = await counted('quotes')
    world.mood.derived.push(given, answer.steps[0].depositAddress)
    const { status } = await world.post('/quote', addressBody())
    expect([status, await counted('quotes')]).toEqual([503, quotes])
    delete world.mood.turns
  })

  it('two runs of the derivation that differ tell the user nothing', async () => {
    world.mood.derived.push(REFUND)
    const { status } = await world.post('/quote', addressBody())
    expect(status).toBe(503)
  })
})
