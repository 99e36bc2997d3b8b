import { type DepositFacts, Findings } from '@causeway/core/verify'
import { describe, expect, it } from 'vitest'
import { buildPaymentStep } from '../deposit/buildDeposit.js'
import { checkHederaDeposit } from './checkHederaDeposit.js'

const ORDER = `0x${'5a'.repeat(32)}` as const
const USER = '0.0.1234'
const DEPOSITORY = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
const HBAR = '0.0.0'
const TOKEN = '0.0.456858'
const CHAIN_ID = 295

type Fields = Readonly<Record<string, unknown>>

/** The data of a step as the adapter builds it. */
const built = async (currency: string, amount: bigint): Promise<Fields> => {
  const request = { from: USER, to: DEPOSITORY, money: { currency, amount }, orderId: ORDER }
  const [step] = await buildPaymentStep({ ...request, maxTransactionFee: 9n, chainId: CHAIN_ID })
  return Object(step?.data)
}

const check = (data: unknown, changes: Partial<DepositFacts> = {}): Findings => {
  const findings = new Findings()
  const facts: DepositFacts = {
    ...{ orderId: ORDER, sender: USER, chainId: CHAIN_ID, slug: 'hedera', depository: DEPOSITORY },
    ...{ currency: HBAR, decimals: 8, amount: 150_000n, paid: { currency: HBAR, amount: 150_000n } },
    ...{ isSwapped: false, swapSlippage: 0n, swapRouter: null, feePayer: USER, findings, ...changes },
  }
  // CAST: a step of untrusted data.
  const steps = [{ id: 'deposit', depositAddress: '', data }] as unknown as Parameters<typeof checkHederaDeposit>[0]
  findings.attempt(() => checkHederaDeposit(steps, facts))
  return findings
}

const entries = (...amounts: readonly string[]) => [
  { accountId: USER, amount: amounts[0] },
  { accountId: DEPOSITORY, amount: amounts[1] },
]

describe('a transfer that deposits', () => {
  it('is what it says, as the adapter builds it', async () => {
    expect(check(await built(HBAR, 150_000n)).problems).toEqual([])
    const { problems, notCovered } = check(await built(TOKEN, 150_000n), { currency: TOKEN })
    expect(problems).toEqual([])
    expect(notCovered.join()).toMatch(/9 tinybars at most/)
  })

  it.each<[string, Fields, RegExp]>([
    ['another amount', { transfers: entries('-150001', '150001') }, /depository gets/],
    ['more than arrives', { transfers: entries('-150001', '150000') }, /account pays/],
    [
      'a token in place of HBAR',
      { transfers: entries('-150000', '150000').map((one) => ({ ...one, tokenId: TOKEN })) },
      /token/,
    ],
    [
      'another account that pays',
      { transfers: [{ accountId: '0.0.9', amount: '-150000' }, entries('', '150000')[1]] },
      /account that pays/,
    ],
    [
      'another depository',
      { transfers: [entries('-150000')[0], { accountId: '0.0.9', amount: '150000' }] },
      /depository/,
    ],
    [
      'a third account',
      { transfers: [...entries('-150000', '150000'), { accountId: '0.0.9', amount: '0' }] },
      /number of transfers/,
    ],
    [
      'a field of its own',
      { transfers: entries('-150000', '150000').map((one) => ({ ...one, isApproval: true })) },
      /isApproval/,
    ],
    ['another order', { memo: `0x${'5b'.repeat(32)}` }, /memo/],
    ['no memo', { memo: undefined }, /memo/],
    ['another chain', { chainId: 296 }, /chain/],
    ['no transfers', { transfers: 7 }, /no transfers/],
  ])('is refused with %s', async (_, fields, problem) => {
    expect(check({ ...(await built(HBAR, 150_000n)), ...fields }).problems.join('; ')).toMatch(problem)
  })

  it('is refused after a swap, and as more than one step', async () => {
    expect(check(await built(HBAR, 150_000n), { isSwapped: true }).problems.join()).toMatch(/swap/)
    expect(check(null).problems.join()).not.toBe('')
  })
})
