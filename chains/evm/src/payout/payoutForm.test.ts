import type { Payout, PayoutPurpose } from '@causeway/core/chain'
import { concat, keccak256, serializeTransaction, toHex } from 'viem'
import { expect, test } from 'vitest'
import { type Contracts, ZERO_ADDRESS } from '../address/addresses.js'
import { depositAddressOf } from '../depositAddress/depositAddress.js'
import { authorizationsOf } from './delegations.js'
import { buildPayout, type NativeRoute } from './payoutForm.js'
import { purposeOf, readPayout } from './readPayout.js'
import { withdrawalStructHash } from './withdrawal.js'

const ORDER_ID = `0x${'ab'.repeat(32)}` as const
const RECIPIENT = `0x${'12'.repeat(20)}`
const TOKEN = `0x${'34'.repeat(20)}`
const CONTRACTS: Contracts = {
  chainId: 8453,
  depository: `0x${'56'.repeat(20)}`,
  fillRouter: `0x${'78'.repeat(20)}`,
  depositAddressFactory: null,
  formerDepositAddressFactories: [],
  permits: null,
  directCallTargets: new Set<string>(),
  swap: null,
  recipientGasLimit: 500_000n,
}

const payout = (purpose: PayoutPurpose, currency: string, extra: Partial<Payout> = {}): Payout => ({
  purpose,
  orderId: ORDER_ID,
  from: `0x${'9a'.repeat(20)}`,
  to: { address: RECIPIENT },
  money: { currency, amount: 1_000n },
  calls: [],
  ...extra,
})

const authorization = {
  nonce: `0x${'01'.repeat(32)}`,
  expiration: 2_000_000_000,
  signature: `0x${'11'.repeat(65)}`,
} as const
const calls = [{ to: `0x${'bc'.repeat(20)}`, data: '0x1234', value: 1_000n }] as const

test('chains.md evm 5: a native fill carries the order id alone', () => {
  const form = buildPayout(payout('fill', ZERO_ADDRESS), CONTRACTS)
  expect(form).toEqual({ to: RECIPIENT, data: ORDER_ID, value: 1_000n })
})

test('an excess is told from the fill of the same order by a marker before the id', () => {
  const form = buildPayout(payout('excess', ZERO_ADDRESS), CONTRACTS)
  expect(form.data).toBe(concat([keccak256(toHex('excess')).slice(0, 10) as `0x${string}`, ORDER_ID]))
})

const FORMS: readonly (readonly [string, Payout, NativeRoute, PayoutPurpose | null])[] = [
  ['native fill', payout('fill', ZERO_ADDRESS), 'direct', null],
  ['native refund', payout('refund', ZERO_ADDRESS), 'direct', null],
  ['native fill through the router', payout('fill', ZERO_ADDRESS), 'router', null],
  ['token fill', payout('fill', TOKEN), 'direct', null],
  ['token refund', payout('refund', TOKEN), 'direct', null],
  ['native excess', payout('excess', ZERO_ADDRESS), 'direct', 'excess'],
  ['native excess through the router', payout('excess', ZERO_ADDRESS), 'router', 'excess'],
  ['token excess', payout('excess', TOKEN), 'direct', 'excess'],
  ['native claim', payout('claim', ZERO_ADDRESS), 'direct', 'claim'],
  ['native call', payout('fill', ZERO_ADDRESS, { calls }), 'direct', 'fill'],
  ['token call', payout('fill', TOKEN, { calls }), 'direct', 'fill'],
  ['native withdrawal', payout('withdraw', ZERO_ADDRESS, { authorization }), 'direct', 'withdraw'],
  ['token withdrawal', payout('withdraw', TOKEN, { authorization }), 'direct', 'withdraw'],
]

test.each(FORMS)(
  'chains.md evm 5: calldata of a %s ends with the order id and reads back',
  (_, given, route, purpose) => {
    const form = buildPayout(given, CONTRACTS, route)
    expect(form.data.endsWith(ORDER_ID.slice(2))).toBe(true)
    expect(readPayout(form, CONTRACTS)).toMatchObject({ orderId: ORDER_ID, purpose, to: RECIPIENT, money: given.money })
    expect(purposeOf(form, CONTRACTS)).toBe(purpose)
  },
)

const terms = { orderId: ORDER_ID, depositor: `0x${'de'.repeat(20)}` }
const FACTORY = `0x${'fa'.repeat(20)}`
const WITH_ADDRESSES: Contracts = { ...CONTRACTS, depositAddressFactory: FACTORY }
const address = { ...terms, destination: { address: depositAddressOf(terms, FACTORY) }, derivation: null }

const sweepOf = (changes: Partial<Payout> = {}): Payout =>
  payout('sweep', TOKEN, {
    to: { address: CONTRACTS.depository },
    sweep: { address, currencies: [ZERO_ADDRESS, TOKEN] },
    ...changes,
  })

test('a sweep calls the factory, ends with the order id, and reads back as a sweep into the depository', () => {
  const form = buildPayout(sweepOf(), WITH_ADDRESSES)
  expect(form).toMatchObject({ to: FACTORY, value: 0n })
  expect(form.data.endsWith(ORDER_ID.slice(2))).toBe(true)
  // By an operator who has named another factory since, too.
  for (const contracts of [WITH_ADDRESSES, CONTRACTS]) {
    expect(readPayout(form, contracts)).toMatchObject({
      orderId: ORDER_ID,
      purpose: 'sweep',
      to: CONTRACTS.depository,
      money: { currency: TOKEN },
      sweptFrom: address.destination.address,
    })
  }
})

test('a sweep of an address that a former factory made calls that factory', () => {
  const replaced = { ...CONTRACTS, formerDepositAddressFactories: [FACTORY] }
  for (const depositAddressFactory of [`0x${'fb'.repeat(20)}`, null]) {
    expect(buildPayout(sweepOf(), { ...replaced, depositAddressFactory }).to).toBe(FACTORY)
  }
})

test.each([
  ['to somebody else than the depository', sweepOf({ to: { address: RECIPIENT } }), /the depository alone/],
  ['under another order id than that of its address', sweepOf({ orderId: `0x${'cd'.repeat(32)}` }), /order id/],
  [
    'of an address of another factory',
    sweepOf({ sweep: { address: { ...address, destination: { address: RECIPIENT } }, currencies: [] } }),
    /another factory/,
  ],
])('a sweep %s is refused before anything is signed', (_, given, why) => {
  expect(() => buildPayout(given, WITH_ADDRESSES)).toThrow(why)
})

test('a call of the sweep function that no payout of ours made is no sweep of an order', () => {
  const { data, to, value } = buildPayout(sweepOf(), WITH_ADDRESSES)
  // CAST: whole bytes of hex text.
  const foreign = data.slice(0, -72) as `0x${string}`
  expect(readPayout({ to, data: foreign, value }, WITH_ADDRESSES).orderId).toBeNull()
})

test('a withdrawal reads back with the guard of its request', () => {
  const given = payout('withdraw', TOKEN, { authorization })
  const hash = withdrawalStructHash({ to: RECIPIENT, money: given.money, ...authorization })
  expect(readPayout(buildPayout(given, CONTRACTS), CONTRACTS).guards).toEqual([`request:${hash}:2000000000`])
})

test('foreign transactions carry no order id', () => {
  const foreign = [
    { to: RECIPIENT, data: '0x', value: 1n },
    { to: RECIPIENT, data: `0x${'00'.repeat(36)}`, value: 1n },
    { to: TOKEN, data: '0xa9059cbb', value: 0n },
    { to: CONTRACTS.depository, data: '0x2d9fb478', value: 0n },
    { to: null, data: '0x6000', value: 0n },
  ] as const
  for (const tx of foreign) expect(readPayout(tx, CONTRACTS).orderId).toBeNull()
})

test('calls without a fill router are refused before anything is signed', () => {
  expect(() => buildPayout(payout('fill', ZERO_ADDRESS, { calls }), { ...CONTRACTS, fillRouter: null })).toThrow(
    /fillRouter/,
  )
})

test('a delegation to an address in capitals can be serialised (EIP-55)', () => {
  const delegation = {
    chainId: 8453,
    nonce: 0,
    yParity: 1,
    r: `0x${'1'.repeat(64)}`,
    s: `0x${'2'.repeat(64)}`,
  } as const
  const authorizationList = authorizationsOf([{ ...delegation, address: `0x${'AB'.repeat(20)}` }])
  expect(authorizationList[0]?.address).toBe(`0x${'ab'.repeat(20)}`)
  const transaction = { type: 'eip7702', chainId: 8453, nonce: 0, gas: 21_000n, authorizationList } as const
  expect(serializeTransaction(transaction)).toMatch(/^0x04/)
})
