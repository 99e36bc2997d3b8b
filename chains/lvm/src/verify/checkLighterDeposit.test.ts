import { type DepositFacts, Findings } from '@causeway/core/verify'
import { describe, expect, it } from 'vitest'
import { buildTransferStep } from '../deposit/buildDeposit.js'
import { checkLighterDeposit } from './checkLighterDeposit.js'

const ORDER = `0x${'5a'.repeat(32)}` as const
const USER = '460491'
const DEPOSITORY = '723071'
const PERPS_USDC = '0'
const SPOT_ETHER = '1'

type Fields = Readonly<Record<string, unknown>>

/** The members of the transfer as the adapter builds it. */
const built = (currency = PERPS_USDC, amount = 150_000n): Fields => {
  const [step] = buildTransferStep({
    ...{ from: USER, to: DEPOSITORY, money: { currency, amount }, orderId: ORDER, fee: 3_000_000n },
  })
  return Object(step?.data).action.parameters
}

const check = (parameters: unknown, changes: Partial<DepositFacts> = {}, type = 'transfer'): Findings => {
  const findings = new Findings()
  const facts: DepositFacts = {
    ...{ orderId: ORDER, sender: USER, chainId: 3_586_256, slug: 'lighter', depository: DEPOSITORY },
    ...{ currency: PERPS_USDC, decimals: 6, amount: 150_000n, paid: { currency: PERPS_USDC, amount: 150_000n } },
    ...{ isSwapped: false, swapSlippage: 0n, swapRouter: null, feePayer: USER, findings, ...changes },
  }
  const data = { action: { type, parameters } }
  // CAST: a step of untrusted data.
  const steps = [{ id: 'deposit', depositAddress: '', data }] as unknown as Parameters<typeof checkLighterDeposit>[0]
  findings.attempt(() => checkLighterDeposit(steps, facts))
  return findings
}

describe('a transfer that deposits', () => {
  it('is what it says, as the adapter builds it', () => {
    const { problems, notCovered } = check(built())
    expect(problems).toEqual([])
    expect(notCovered.join()).toMatch(/3000000 millionths of a USDC/)
    expect(check(built(SPOT_ETHER), { currency: SPOT_ETHER }).problems).toEqual([])
  })

  it.each<[string, Fields, RegExp]>([
    ['another amount', { amount: 150_001 }, /depository gets/],
    ['an amount that is no exact number', { amount: 2 ** 53 }, /depository gets/],
    ['another depository', { toAccountIndex: 723_072 }, /account that is paid/],
    ['another asset', { assetIndex: 1 }, /asset that is paid/],
    ['the spot route of the payer', { fromRouteType: 1 }, /route that pays/],
    ['the spot route of the depository', { toRouteType: 1 }, /route that is paid/],
    ['another order', { memo: `0x${'5b'.repeat(32)}` }, /memo/],
    ['no memo', { memo: undefined }, /memo/],
    ['a field of its own', { nonce: 1 }, /nonce/],
  ])('is refused with %s', (_, fields, problem) => {
    expect(check({ ...built(), ...fields }).problems.join('; ')).toMatch(problem)
  })

  it('is refused after a swap, as another action, and without a transfer', () => {
    expect(check(built(), { isSwapped: true }).problems.join()).toMatch(/swap/)
    expect(check(built(), {}, 'withdraw').problems.join()).toMatch(/type of the action/)
    expect(check(7).problems.join()).toMatch(/no transfer/)
  })
})
