import { describe, expect, it } from 'vitest'
import type { Payout } from '../../chain/laneAdapter.js'
import { ServiceError } from '../../errors/serviceError.js'
import type { PaymentSides } from './paymentSides.js'
import { PaymentSimulator, type PaymentSimulatorDeps, type TrialResult } from './paymentSimulator.js'

type Deps = PaymentSimulatorDeps<object, string>

const sides = (changes: Partial<PaymentSides> = {}): PaymentSides => ({
  height: 9n,
  payer: { coins: 100n, reserved: 20n, held: 50n },
  recipient: { exists: true, opensFrom: 10n, refusal: null, isUnlimited: true },
  ...changes,
})

const poor = sides({ payer: { coins: 2n, reserved: 20n, held: 0n } })
const closed = sides({ recipient: { exists: true, opensFrom: 10n, refusal: 'It is closed.', isUnlimited: true } })
const absent = sides({ recipient: { exists: false, opensFrom: 10n, refusal: null, isUnlimited: true } })
const bound = sides({ recipient: { exists: false, opensFrom: null, refusal: null, isUnlimited: false } })

const payout = (currency = 'coin', amount = 30n): Payout => ({
  ...{ purpose: 'fill', orderId: `0x${'ab'.repeat(32)}`, from: 'solver', to: { address: 'user' }, calls: [] },
  money: { currency, amount },
})

const simulate = (changes: Partial<Deps>, paid = payout()) =>
  new PaymentSimulator<object, string>({
    pool: { ordered: () => [{}] },
    native: { address: 'coin', symbol: 'COIN' },
    paymentOf: async () => 'payment',
    sweeps: null,
    costsOf: async (_, { money }) => ({ fee: 3n, taken: money.amount }),
    sidesOf: async () => sides(),
    callOf: () => ({ from: 'solver', to: 'user', data: '', value: '30' }),
    ...changes,
  }).simulate(paid)

const seenAs = (seen: PaymentSides) => ({ sidesOf: async () => seen })

describe('both sides alone', () => {
  it('let a payment pass, from the amount on that any account can take', async () => {
    expect(await simulate({})).toEqual({ ok: true, gas: 0n, block: 9n, leastAmount: 0n })
    expect(await simulate(seenAs(absent))).toMatchObject({ ok: true, leastAmount: 10n })
    const limited = sides({ recipient: { exists: true, opensFrom: null, refusal: null, isUnlimited: false } })
    expect(await simulate(seenAs(limited), payout('token'))).toEqual({ ok: true, gas: 0n, block: 9n })
  })

  it.each([
    ['a refusal of the recipient', closed, 'coin', 30n, { kind: 'recipient-cannot-receive', message: 'It is closed.' }],
    ['no account below its reserve', absent, 'coin', 9n, { kind: 'recipient-cannot-receive', leastAmount: 10n }],
    ['no account for a token', bound, 'token', 30n, { kind: 'recipient-cannot-receive' }],
    ['no payer', sides({ payer: null }), 'coin', 30n, { kind: 'insufficient-funds' }],
    ['coins that must stay as the reserve', sides(), 'coin', 81n, { kind: 'insufficient-funds' }],
    ['a token that is not held', sides(), 'token', 51n, { kind: 'insufficient-funds' }],
    ['no coins for the fee', poor, 'token', 0n, { message: expect.stringContaining('enough COIN') }],
  ])('refuse it by %s', async (_, seen, currency, amount, expected) => {
    const call = { from: 'solver', to: 'user', data: '', value: '30' }
    expect(await simulate(seenAs(seen), payout(currency, amount))).toMatchObject({
      ok: false,
      block: 9n,
      call,
      ...expected,
    })
  })
})

describe('a node that runs the payment', () => {
  const ran = (kind: TrialResult['kind'], seen = sides()) =>
    simulate({ ...seenAs(seen), tryAt: async () => ({ kind, message: 'The node says so.', data: 'CODE' }) })

  it.each([
    ['decides where it succeeds', null, closed, { ok: true }],
    ['is explained by the balances', 'insufficient-funds', poor, { message: expect.stringContaining('solver') }],
    ['and does not tell the side is explained', 'unclear', poor, { kind: 'insufficient-funds' }],
    ['counts alone where the balances show no reason', 'revert', sides(), { kind: 'revert', data: 'CODE' }],
    ['counts alone where the balances show another reason', 'transient', closed, { kind: 'transient', data: 'CODE' }],
    ['and shows no side blames the recipient', 'unclear', sides(), { kind: 'recipient-cannot-receive', data: 'CODE' }],
  ] as const)('%s', async (_, kind, seen, expected) => {
    expect(await ran(kind, seen)).toMatchObject(expected)
  })

  it('and finds no fault lets the sides decide, and says the part that it did not run', async () => {
    const ran = { kind: 'sides', data: '', gas: 7n } as const
    const run = (seen: PaymentSides, message: string) =>
      simulate({ ...seenAs(seen), tryAt: async () => ({ ...ran, message }) })
    expect(await run(closed, '')).toMatchObject({ ok: false, message: 'It is closed.' })
    expect(await run(sides(), '')).toEqual({ ok: true, gas: 7n, block: 9n, leastAmount: 0n })
    expect(await run(sides(), 'A part.')).toMatchObject({ ok: true, notRun: 'A part.' })
  })

  it('and cannot is not asked to for a while', async () => {
    let asked = 0
    const tryAt = async () => {
      asked += 1
      return null
    }
    const node = {}
    const simulator = new PaymentSimulator<object, string>({
      ...{ pool: { ordered: () => [node] }, native: { address: 'coin', symbol: 'COIN' }, sweeps: null, tryAt },
      paymentOf: async () => 'payment',
      costsOf: async () => ({ fee: 3n, taken: 30n }),
      sidesOf: async () => closed,
      callOf: () => ({ from: '', to: '', data: '', value: '' }),
    })
    for (const _ of [1, 2]) expect(await simulator.simulate(payout())).toMatchObject({ message: 'It is closed.' })
    expect(asked).toBe(1)
  })
})

it('a payment that can never be made reverts; a node that does not answer is transient', async () => {
  const failing = (code: 'INVALID_REQUEST' | 'RPC_HTTP_ERROR') => async () => {
    throw new ServiceError(code, 'Why.')
  }
  expect(await simulate({ paymentOf: failing('INVALID_REQUEST') })).toEqual({
    ok: false,
    kind: 'revert',
    message: 'Why.',
  })
  expect(await simulate({ sidesOf: failing('RPC_HTTP_ERROR') })).toMatchObject({ ok: false, kind: 'transient' })
})

it('a sweep is the plan of the deposit addresses', async () => {
  const sweep: Payout = { ...payout(), purpose: 'sweep' }
  expect(await simulate({}, sweep)).toMatchObject({ message: 'This chain has no deposit addresses.' })
  const refusal = { ok: false, kind: 'revert', message: 'Empty.' } as const
  expect(await simulate({ sweeps: { plan: async () => refusal } }, sweep)).toEqual(refusal)
  expect(await simulate({ sweeps: { plan: async () => ({ ok: true, payment: 'sweep' }) } }, sweep)).toMatchObject({
    ok: true,
  })
})
