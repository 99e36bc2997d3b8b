import { type DepositFacts, Findings } from '@causeway/core/verify'
import { describe, expect, it } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { buildDeposit } from '../deposit/buildDeposit.js'
import { checkTronDeposit } from './checkTronDeposit.js'

const ORDER = `0x${'5a'.repeat(32)}` as const
const USER = 'THa7BwoPfacfiELa63pbmm3g5PGKYmtJyt'
const DEPOSITORY = 'TXtEs6t2oUWQsNos7m68gbHdE9Q5n6x2oN'
const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const CHAIN_ID = 728_126_428
const AMOUNT = 150_000n

type Step = { readonly id: string; readonly data: unknown }

const built = (currency: string, explicitDeposit: boolean, allowance = 0n): readonly Step[] =>
  buildDeposit({ from: USER, money: { currency, amount: AMOUNT }, orderId: ORDER, explicitDeposit }, allowance, {
    depository: DEPOSITORY,
    chainId: CHAIN_ID,
  }).map(({ stepId: id, data }) => ({ id, data }))

const isSound = (steps: readonly Step[], currency: string): boolean => {
  const findings = new Findings()
  const facts: DepositFacts = {
    ...{ orderId: ORDER, sender: USER, chainId: CHAIN_ID, slug: 'tron', depository: DEPOSITORY },
    ...{ currency, decimals: 6, amount: AMOUNT, paid: { currency, amount: AMOUNT } },
    ...{ isSwapped: false, swapSlippage: 0n, swapRouter: null, feePayer: USER, findings },
  }
  // CAST: steps of untrusted data.
  findings.attempt(() => checkTronDeposit(steps as unknown as Parameters<typeof checkTronDeposit>[0], facts))
  return findings.problems.length === 0
}

const FORMS = [
  [NATIVE, true, 0n],
  [USDT, true, 0n],
  [USDT, true, 7n],
  [USDT, true, AMOUNT],
  [USDT, false, 0n],
] as const

describe('the steps of a deposit', () => {
  it.each(FORMS)('of %s (explicit: %s, allowance: %s) are sound as they are built', (currency, explicit, allowance) => {
    expect(isSound(built(currency, explicit, allowance), currency)).toBe(true)
  })

  it('are not sound with a digit changed, wherever it is', () => {
    for (const [currency, explicit, allowance] of FORMS) {
      const steps = built(currency, explicit, allowance)
      const text = JSON.stringify(steps)
      const hex = [...text.matchAll(/"(?:41[0-9a-f]{40}|0x[0-9a-f]{100,})"/g)]
      expect(hex.length).toBeGreaterThan(2)
      for (const { index, 0: value } of hex)
        for (let at = 3; at < value.length - 1; at += 7) {
          const place = index + at
          const other = text[place] === '1' ? '2' : '1'
          const changed = JSON.parse(text.slice(0, place) + other + text.slice(place + 1))
          expect(isSound(changed, currency), `${currency} ${place}`).toBe(false)
        }
    }
  })

  it('are not sound with another value, chain, kind or step', () => {
    const [step] = built(NATIVE, true)
    const data = Object(step?.data)
    const { parameter } = data
    expect(isSound([{ id: 'deposit', data: { ...data, chainId: 1 } }], NATIVE)).toBe(false)
    expect(isSound([{ id: 'deposit', data: { ...data, type: 'TransferContract' } }], NATIVE)).toBe(false)
    expect(isSound([{ id: 'deposit', data: { ...data, parameter: { ...parameter, call_value: 1 } } }], NATIVE)).toBe(
      false,
    )
    expect(isSound([...built(USDT, true).slice(0, 1), { id: 'deposit', data }], NATIVE)).toBe(false)
    expect(isSound([{ id: 'send', data }], NATIVE)).toBe(false)
  })
})
