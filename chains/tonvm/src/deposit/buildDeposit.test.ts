import { Address, type Cell, comment } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { paymentStep } from './buildDeposit.js'
import { jettonTransferBody } from './jettonBodies.js'

const ORDER = `0x${'AB'.repeat(32)}` as const
const raw = (byte: string) => `0:${byte.repeat(32)}`
const [from, depository, wallet, master] = [raw('01'), raw('02'), raw('03'), raw('04')]

const base64 = (cell: Cell): string => cell.toBoc().toString('base64')

describe('the step of a deposit (wire.md H.5)', () => {
  it('of TON pays the depository, does not bounce, and has the order id in lower case as its comment', () => {
    const step = paymentStep({ from, depository, orderId: ORDER, money: { currency: NATIVE, amount: 7n } }, null)
    const body = base64(comment(ORDER.toLowerCase()))
    expect(step).toMatchObject([{ stepId: 'deposit', kind: 'transaction' }])
    expect(step[0]?.data).toEqual({ messages: [{ to: depository, value: '7', body, bounce: false, from }] })
  })

  it('of jettons calls the wallet of the user, whose change comes back', () => {
    const money = { currency: master, amount: 400n }
    const [step] = paymentStep({ from, depository, orderId: ORDER, money }, wallet)
    const body = jettonTransferBody({
      ...{ queryId: 0n, amount: 400n, recipient: Address.parse(depository), responseTo: Address.parse(from) },
      ...{ forwardValue: 1n, forwardPayload: comment(ORDER.toLowerCase()) },
    })
    expect(step?.data).toEqual({
      messages: [{ to: wallet, value: '50000000', body: base64(body), bounce: true, from }],
    })
  })
})
