import { type DepositFacts, Findings } from '@causeway/core/verify'
import { describe, expect, it } from 'vitest'
import { checkBvmDeposit } from './checkBvmDeposit.js'

/** Deposits of 150,000 satoshis as the Bitcoin package builds them, from two coins, with change. */
const PSBTS = {
  bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4:
    '70736274ff0100e70200000002abababababababababababababababababababababababababababababababab0100000000feffffffcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd0000000000feffffff03f04902000000000016001416d73780aae93325aae14a59fb2f01d909e6320d0000000000000000446a42307835613561356135613561356135613561356135613561356135613561356135613561356135613561356135613561356135613561356135613561356135613561a009010000000000160014751e76e8199196d454941c45d1b3a323f1433bd6000000000001011f400d030000000000160014751e76e8199196d454941c45d1b3a323f1433bd60001011f204e000000000000160014751e76e8199196d454941c45d1b3a323f1433bd600000000',
  bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0:
    '70736274ff0100f30200000002abababababababababababababababababababababababababababababababab0100000000feffffffcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd0000000000feffffff03f04902000000000016001416d73780aae93325aae14a59fb2f01d909e6320d0000000000000000446a42307835613561356135613561356135613561356135613561356135613561356135613561356135613561356135613561356135613561356135613561356135613561a00901000000000022512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798000000000001012b400d03000000000022512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f817980001012b204e00000000000022512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f8179800000000',
}
const [WITNESS, TAPROOT] = Object.keys(PSBTS) as [keyof typeof PSBTS, keyof typeof PSBTS]
const DEPOSITORY = 'bc1qzmtn0q92ayejt2hpffvlktcpmyy7vvsd06sefu'
const ORDER = `0x${'5a'.repeat(32)}`

const problemsOf = (psbt: unknown, changes: Partial<DepositFacts> = {}): readonly string[] => {
  const findings = new Findings()
  const currency = 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8'
  const facts: DepositFacts = {
    orderId: ORDER,
    sender: WITNESS,
    chainId: 8_253_038,
    slug: 'bitcoin',
    depository: DEPOSITORY,
    currency,
    decimals: 8,
    amount: 150_000n,
    paid: { currency, amount: 150_000n },
    isSwapped: false,
    swapSlippage: 0n,
    swapRouter: null,
    feePayer: WITNESS,
    findings,
    ...changes,
  }
  findings.attempt(() => checkBvmDeposit([{ id: 'deposit', depositAddress: '', data: { psbt } }], facts))
  return findings.problems
}

const good = PSBTS[WITNESS]
const replaced = (from: string, to: string): string => {
  if (!good.includes(from)) throw new Error(`There is no ${from}`)
  return good.replace(from, to)
}

describe('wire.md A.5 bvm: a PSBT that deposits', () => {
  it.each([WITNESS, TAPROOT])('of %s is what it says', (sender) => {
    expect(problemsOf(PSBTS[sender], { sender })).toEqual([])
    expect(problemsOf(PSBTS[sender].toUpperCase(), { sender: sender.toUpperCase() })).toEqual([])
  })

  it.each([
    ['another amount', replaced('f049020000000000', 'f149020000000000'), /What the depository gets is 150001/],
    ['another depository', replaced('16d73780aae93325', '16d73780aae93326'), /What the depository gets is 0/],
    ['another order', replaced('42307835613561', '42307835613562'), /The text of the transaction/],
    ['an order id behind a longer push', replaced('446a42', '446a41'), /The text of the transaction/],
    [
      'change for somebody else',
      replaced('a00901000000000016001475', 'a00901000000000016001476'),
      /pays somebody else/,
    ],
    ['a text that burns', replaced('0000000000000000446a42', '0100000000000000446a42'), /What the text burns is 1/],
    ['no magic', `00${good.slice(2)}`, /cannot be read/],
    ['half of it', good.slice(0, 300), /cannot be read/],
    ['no hex', `zz${good.slice(2)}`, /not hex/],
    ['nothing', '', /cannot be read/],
    ['no text', 7, /no text/],
  ])('is refused for %s', (_, psbt, problem) => {
    expect(problemsOf(psbt).join('; ')).toMatch(problem)
  })

  it('is refused when an input asks to be signed without its outputs', () => {
    const signing = (type: string) => good.replace(/00(0{6})$/, `0103040${type}00000000000000`)
    expect(problemsOf(signing('1'))).toEqual([])
    for (const type of ['2', '3']) expect(problemsOf(signing(type)).join()).toMatch(/leave outputs open/)
  })

  it('is refused for another sender, whose change it would not be', () => {
    expect(problemsOf(good, { sender: TAPROOT }).join()).toMatch(/pays somebody else/)
  })
})
