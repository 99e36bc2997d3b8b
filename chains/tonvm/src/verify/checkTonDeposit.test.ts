import { type DepositFacts, Findings } from '@causeway/core/verify'
import { describe, expect, it } from 'vitest'
import { jettonDepositStep, nativeDepositStep } from '../deposit/buildDeposit.js'
import { checkTonDeposit } from './checkTonDeposit.js'

const ORDER = `0x${'5a'.repeat(32)}` as const
const USER = `0:${'11'.repeat(32)}`
const DEPOSITORY = `0:${'22'.repeat(32)}`
const WALLET = `0:${'33'.repeat(32)}`
const TON = 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c'
const JETTON = `0:${'44'.repeat(32)}`

type Fields = Readonly<Record<string, unknown>>

/** The message of a step as the adapter builds it. */
const built = (currency: string, amount: bigint): Fields => {
  const payment = { from: USER, depository: DEPOSITORY, money: { currency, amount }, orderId: ORDER }
  const [step] = currency === TON ? nativeDepositStep(payment) : jettonDepositStep(payment, WALLET)
  return Object(Object(step?.data).messages[0])
}

const check = (data: unknown, changes: Partial<DepositFacts> = {}): Findings => {
  const findings = new Findings()
  const facts: DepositFacts = {
    ...{ orderId: ORDER, sender: USER, chainId: 224_235_520, slug: 'ton', depository: DEPOSITORY },
    ...{ currency: TON, decimals: 9, amount: 150_000n, paid: { currency: TON, amount: 150_000n } },
    ...{ isSwapped: false, swapSlippage: 0n, swapRouter: null, feePayer: USER, findings, ...changes },
  }
  // CAST: a step of untrusted data.
  const steps = [{ id: 'deposit', depositAddress: '', data }] as unknown as Parameters<typeof checkTonDeposit>[0]
  findings.attempt(() => checkTonDeposit(steps, facts))
  return findings
}

const changed = (currency: string, changes: Fields): Findings =>
  check({ messages: [{ ...built(currency, 150_000n), ...changes }] }, { currency })

describe('a message that deposits', () => {
  it.each([1n, 255n, 150_000n, 2n ** 64n, 2n ** 119n])(
    'is what it says, as the adapter builds it, for %s',
    (amount) => {
      expect(check({ messages: [built(TON, amount)] }, { amount }).problems).toEqual([])
      const { problems, notCovered } = check({ messages: [built(JETTON, amount)] }, { amount, currency: JETTON })
      expect(problems).toEqual([])
      expect(notCovered.join()).toMatch(/get_wallet_address/)
    },
  )

  it.each<[string, Fields, RegExp]>([
    ['another account', { to: WALLET }, /account that is paid/],
    ['another amount', { value: '150001' }, /value/],
    ['another body', { body: built(JETTON, 150_000n).body }, /body/],
    ['a body that bounces', { bounce: true }, /bounce/],
    ['another payer', { from: DEPOSITORY }, /account that pays/],
    ['code of its own', { stateInit: 'te6' }, /stateInit/],
    ['a mode of its own', { mode: 128 }, /mode/],
  ])('of TON is refused with %s', (_, changes, problem) => {
    expect(changed(TON, changes).problems.join('; ')).toMatch(problem)
  })

  it.each<[string, Fields, RegExp]>([
    ['another amount', { body: built(JETTON, 150_001n).body }, /body/],
    ['more value', { value: '5000000000' }, /value/],
    ['no account', { to: 'EQ' }, /no account/],
  ])('of jettons is refused with %s', (_, changes, problem) => {
    expect(changed(JETTON, changes).problems.join('; ')).toMatch(problem)
  })

  it('is refused for another order, after a swap, and as more than one message or step', () => {
    const message = built(TON, 150_000n)
    expect(check({ messages: [message] }, { orderId: `0x${'5b'.repeat(32)}` }).problems.join()).toMatch(/body/)
    expect(check({ messages: [message] }, { isSwapped: true }).problems.join()).toMatch(/swap/)
    expect(check({ messages: [message, message] }).problems.join()).toMatch(/one message/)
    expect(check({ messages: [message], from: USER }).problems.join()).toMatch(/field/)
    expect(check(null).problems.join()).not.toBe('')
  })
})
