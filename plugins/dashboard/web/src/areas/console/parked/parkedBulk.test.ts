import { describe, expect, it } from 'vitest'
import { commandLine } from '../commands.js'
import { PARKED_COMMANDS, showsKind } from './parkedBulk.js'
import type { ParkedDeposit } from './parkedDeposit.js'

const MONEY = { chainId: 1, currency: '0x0', symbol: 'ETH', decimals: 18, amount: '5' } as const
const payment = (txId: string) => ({ txId, chainId: 1, paid: MONEY, recipient: '0x1' })

const deposit = (more: Partial<ParkedDeposit>): ParkedDeposit => ({
  ...{ depositId: '7', chainId: 1, txId: '0xd', position: 0, state: 'included', depositor: '0xf', orderId: null },
  ...{ deposited: MONEY, parked: MONEY, seenAt: '2026-11-01T00:00:00Z', reason: 'unknown order' },
  ...{ requestId: null, requestStatus: null, refundTo: null, recoveryAddress: null, paidBy: [] },
  ...more,
})

const KINDS = {
  'not paid': deposit({}),
  'not paid, with a recovery address': deposit({ recoveryAddress: '0x2' }),
  'paid once': deposit({ paidBy: [payment('0xaa')], recoveryAddress: '0x2' }),
  'paid twice': deposit({ paidBy: [payment('0xaa'), payment('0xbb')] }),
} as const

describe('commands for several parked deposits', () => {
  it.each([
    ['not paid', ['refund']],
    ['not paid, with a recovery address', ['refund', 'recover']],
    ['paid once', ['close']],
    // The operator has to say which of the payments was for it.
    ['paid twice', []],
  ] as const)('a deposit that was %s allows %j', (kind, verbs) => {
    expect(PARKED_COMMANDS.filter(({ allows }) => allows(KINDS[kind])).map(({ verb }) => verb)).toEqual(verbs)
  })

  it('run the command of a single deposit, by its own payment, and repeat its number', () => {
    const lines = PARKED_COMMANDS.map(({ call }) => commandLine(call(KINDS['paid once'], 'restored')))
    expect(lines).toEqual([
      'causeway parked close 7 --paid-by 0xaa --reason restored',
      'causeway parked refund 7 --reason restored',
      'causeway deposit-addresses recover 7 --reason restored',
    ])
    expect(PARKED_COMMANDS.map(({ confirmWith }) => confirmWith(KINDS['paid once']))).toEqual(['7', '7', '7'])
  })

  it.each([
    ['', [true, true]],
    ['paid', [false, true]],
    ['unpaid', [true, false]],
  ])('the kind "%s" shows unpaid and paid deposits: %j', (kind, shown) => {
    expect([KINDS['not paid'], KINDS['paid once']].map((each) => showsKind(kind, each))).toEqual(shown)
  })
})
