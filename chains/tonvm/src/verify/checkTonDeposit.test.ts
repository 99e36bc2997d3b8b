import { type DepositFacts, Findings } from '@causeway/core/verify'
import { describe, expect, it } from 'vitest'
import { paymentStep } from '../deposit/buildDeposit.js'
import { checkTonDeposit } from './checkTonDeposit.js'

const ORDER = `0x${'5a'.repeat(32)}` as const
const [USER, DEPOSITORY, JETTON, WALLET] = ['1', '2', '3', '4'].map((digit) => `0:${digit.repeat(64)}`) as [
  string,
  string,
  string,
  string,
]
const TON = 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c'

type Fields = Readonly<Record<string, unknown>>

const messageOf = ([step]: ReturnType<typeof paymentStep>): Fields => Object(step?.data).messages[0]

/** The message of a step as the adapter builds it. */
const native = (amount = 150_000n, orderId: `0x${string}` = ORDER): Fields =>
  messageOf(paymentStep({ from: USER, depository: DEPOSITORY, money: { currency: TON, amount }, orderId }, null))

const jettons = (amount: bigint, changes: Partial<Parameters<typeof paymentStep>[0]> = {}): Fields => {
  const money = { currency: JETTON, amount }
  return messageOf(paymentStep({ from: USER, depository: DEPOSITORY, money, orderId: ORDER, ...changes }, WALLET))
}

const check = (messages: readonly unknown[], changes: Partial<DepositFacts> = {}): Findings => {
  const findings = new Findings()
  const facts: DepositFacts = {
    ...{ orderId: ORDER, sender: USER, chainId: 224_235_520, slug: 'ton', depository: DEPOSITORY },
    ...{ currency: TON, decimals: 9, amount: 150_000n, paid: { currency: TON, amount: 150_000n } },
    ...{ isSwapped: false, swapSlippage: 0n, swapRouter: null, feePayer: USER, findings, ...changes },
  }
  const data = { messages }
  // CAST: a step of untrusted data.
  const steps = [{ id: 'deposit', depositAddress: '', data }] as unknown as Parameters<typeof checkTonDeposit>[0]
  findings.attempt(() => checkTonDeposit(steps, facts))
  return findings
}

const problemsOf = (messages: readonly unknown[], changes?: Partial<DepositFacts>): string =>
  check(messages, changes).problems.join('; ')

describe('a message that deposits', () => {
  it.each([1n, 255n, 256n, 150_000n, 2n ** 63n, 2n ** 119n])(
    'is what it says, as the adapter builds it: %s',
    (amount) => {
      expect(problemsOf([native(amount)], { amount })).toBe('')
      expect(problemsOf([jettons(amount)], { amount, currency: JETTON })).toBe('')
    },
  )

  it('of jettons leaves to the caller which wallet is asked', () => {
    const { notCovered } = check([jettons(7n)], { amount: 7n, currency: JETTON })
    expect(notCovered.join()).toContain(WALLET)
  })

  it.each<[string, Fields, RegExp]>([
    ['another amount', { value: '150001' }, /nanotons/],
    ['another depository', { to: WALLET }, /account that is paid/],
    ['another account that pays', { from: WALLET }, /account that pays/],
    ['a message that bounces', { bounce: true }, /bounces/],
    ['another order', { body: native(1n, `0x${'5b'.repeat(32)}`).body }, /comment/],
    ['a body of jettons', { body: jettons(150_000n).body }, /comment/],
    ['no body', { body: undefined }, /comment/],
    ['a body that is no base64', { body: '!' }, /comment/],
    ['code', { stateInit: 'te6cc' }, /stateInit/],
  ])('is refused with %s', (_, fields, problem) => {
    expect(problemsOf([{ ...native(), ...fields }])).toMatch(problem)
  })

  it.each<[string, Fields]>([
    ['another amount', jettons(8n)],
    ['another depository', jettons(7n, { depository: WALLET })],
    ['another receiver of the rest', { ...jettons(7n, { from: WALLET }), from: USER }],
    ['another order', jettons(7n, { orderId: `0x${'5b'.repeat(32)}` })],
    ['a comment alone', { ...native(7n), bounce: true }],
  ])('of jettons is refused with %s', (_, message) => {
    expect(problemsOf([message], { amount: 7n, currency: JETTON })).toMatch(/transfer that the message asks for/)
  })

  it('is refused after a swap, as several messages, and as none', () => {
    expect(problemsOf([native()], { isSwapped: true })).toMatch(/swap/)
    expect(problemsOf([native(), native()])).toMatch(/one message/)
    expect(problemsOf([])).toMatch(/one message/)
    expect(problemsOf([7])).toMatch(/one message/)
  })
})
