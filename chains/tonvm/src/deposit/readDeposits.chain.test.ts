import type { StepItemDraft } from '@causeway/core/chain'
import { Address, beginCell, type Cell, comment, internal, type Message } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { internalMessage } from '../testing/engine/internalMessage.js'
import { hostileJetton } from '../testing/jetton/jettons.js'
import { startTestedTon, type TestedTon, type TestedWallet, TON } from '../testing/testedTon.test.support.js'
import { messagesOf, type TonStep, tonConnectRequest } from '../testing/tonConnect.js'
import { paymentStep } from './buildDeposit.js'
import { jettonTransferBody } from './jettonBodies.js'
import { type DepositRules, readDeposits } from './readDeposits.js'

const ORDER = `0x${'ab'.repeat(32)}` as const
const BLOCK = { height: 1n, hash: 'x', time: 1 }

let network: TestedTon
let user: TestedWallet
let depository: TestedWallet
let jetton: Awaited<ReturnType<TestedTon['jetton']>>
let rules: DepositRules

beforeAll(async () => {
  network = await startTestedTon()
  ;[user, depository] = [await network.wallet(), await network.wallet(0n)]
  jetton = await network.jetton()
  await network.chain.fund(user.address.toRawString(), 1000n, jetton.address.toRawString())
  const own = await jetton.walletOf(depository)
  rules = {
    depository: depository.address.toRawString(),
    isTestnet: false,
    jettons: new Map([[own.toRawString(), jetton.address.toRawString()]]),
  }
})
afterAll(() => network?.close())

/** Deposits of the depository's transactions since a call, oldest first. */
const depositsOf = async (act: () => Promise<unknown>) => {
  const before = (await network.client.getContractState(depository.address)).lastTransaction?.lt ?? '0'
  await act()
  await network.chain.advance(6)
  const found = await network.client.getTransactions(depository.address, { limit: 20, to_lt: before })
  return found.reverse().flatMap((transaction) => readDeposits({ transaction, block: BLOCK }, rules))
}

/** Signs a step as a wallet does, and submits it. */
const deposit = ([step]: readonly StepItemDraft[]) => {
  // CAST: a step of this package.
  const request = tonConnectRequest(step?.data as unknown as TonStep, Math.floor(Date.now() / 1000))
  return user.submit(messagesOf(request))
}

const terms = (money: { readonly currency: string; readonly amount: bigint }) => ({
  ...{ from: user.address.toRawString(), depository: rules.depository, money, orderId: ORDER },
})

const arrived = (message: Message) => depositsOf(() => network.chain.apply(message))

const paid = (body: Cell, from: Address = user.address, bounce = false) =>
  internalMessage(from, depository.address, TON, { body, bounce })

const valued = (value: bigint) => internalMessage(user.address, depository.address, value, { body: comment(ORDER) })

describe('a deposit', () => {
  it('of TON is made by its step, and credited with what arrived, to an account without code', async () => {
    const found = await depositsOf(() => deposit(paymentStep(terms({ currency: NATIVE, amount: 2n * TON }), null)))
    const from = user.address.toRawString()
    expect(found).toMatchObject([
      {
        ...{ state: 'included', orderId: ORDER, depositor: from, senders: [from], source: from, index: 0, position: 0 },
        ...{ money: { currency: NATIVE, amount: 2n * TON }, depository: rules.depository, block: BLOCK },
        tx: { id: expect.stringMatching(/^[0-9a-f]{64}$/), locator: { account: rules.depository } },
      },
    ])
    const { account, lt, block } = Object(found[0]?.tx.locator)
    expect(await network.chain.locate(found[0]?.tx.id ?? '')).toMatchObject({ account, lt })
    expect(block).toBe(`${BLOCK.height}`)
  })

  it('of jettons is made by its step, and credited though its notification has no gas', async () => {
    const wallet = (await jetton.walletOf(user)).toRawString()
    const money = { currency: jetton.address.toRawString(), amount: 400n }
    const found = await depositsOf(() => deposit(paymentStep(terms(money), wallet)))
    expect(found).toMatchObject([{ orderId: ORDER, money, depositor: user.address.toRawString() }])
    expect(await network.balanceOf(await jetton.walletOf(depository))).toBe(400n)
  })

  it('credits the depositor that its comment names, else its sender', async () => {
    const [named, from] = [new Address(0, Buffer.alloc(32, 9)), user.address.toRawString()]
    const master = new Address(-1, Buffer.alloc(32, 9))
    for (const [text, depositor] of [
      [`${ORDER}|depositor=${named}|`, named.toRawString()],
      [`${ORDER}|depositor=${named.toRawString()}|`, named.toRawString()],
      [`${ORDER}|depositor=${named}`, from],
      [`${ORDER}|depositor=nobody|`, from],
      [`${ORDER}|depositor=${master}|`, from],
      [`${ORDER}|depositor=${named.toString({ testOnly: true })}|`, from],
    ] as const) {
      expect(await arrived(paid(comment(text)))).toMatchObject([{ orderId: ORDER, depositor, senders: [from] }])
    }
  })

  it('without an order id belongs to no order', async () => {
    for (const body of [beginCell().endCell(), comment('hello')]) {
      expect(await arrived(paid(body))).toMatchObject([{ orderId: null, money: { amount: TON } }])
    }
  })
})

describe('no deposit', () => {
  const operation = beginCell().storeUint(0xd53276db, 32).storeUint(0, 64).endCell()
  it.each<[string, () => Message]>([
    ['would bounce', () => paid(comment(ORDER), user.address, true)],
    ['is of another workchain', () => paid(comment(ORDER), new Address(-1, Buffer.alloc(32, 9)))],
    ['calls an operation', () => paid(operation)],
    ['comes from the depository', () => paid(comment(ORDER), depository.address)],
    ['is of nothing', () => valued(0n)],
    ['is too small for a transaction that succeeds', () => valued(1n)],
  ])('is a payment that %s', async (_, message) => {
    expect(await arrived(message())).toEqual([])
  })

  it('is a message that came back to the depository', async () => {
    const message = paid(comment(ORDER))
    if (message.info.type !== 'internal') throw new Error('The message is not internal')
    expect(await arrived({ ...message, info: { ...message.info, bounced: true } })).toEqual([])
  })

  it('is a notification of any account that is not the jetton wallet of a configured master', async () => {
    const hostile = hostileJetton(jetton.metadata)
    await network.chain.apply(hostile.message)
    const transfer = {
      ...{ queryId: 0n, amount: 5000n, recipient: depository.address, responseTo: user.address, forwardValue: 1n },
      forwardPayload: comment(ORDER),
    }
    const body = jettonTransferBody(transfer)
    const send = () => user.submit([internal({ to: hostile.address, value: TON / 10n, body })])
    expect(await depositsOf(send)).toEqual([])
    const forged = beginCell().storeUint(0x7362d09c, 32).storeUint(0, 64).storeCoins(5n)
    const notification = forged.storeAddress(user.address).storeBit(true).storeRef(comment(ORDER)).endCell()
    expect(await arrived(paid(notification))).toEqual([])
    const ofMaster = internalMessage(jetton.address, depository.address, 1n, { body: notification })
    expect(await arrived(ofMaster)).toEqual([])
  })

  it('is a mint, a transfer that was refused, or a payment above the balance', async () => {
    const { chain } = network
    expect(await depositsOf(() => chain.fund(rules.depository, 5n, jetton.address.toRawString()))).toEqual([])
    const wallet = (await jetton.walletOf(user)).toRawString()
    const tooMuch = terms({ currency: jetton.address.toRawString(), amount: 10_000n })
    expect(await depositsOf(() => deposit(paymentStep(tooMuch, wallet)))).toEqual([])
    const overdraft = terms({ currency: NATIVE, amount: 100_000n * TON })
    expect(await depositsOf(() => deposit(paymentStep(overdraft, null)))).toEqual([])
  })
})

it('a deposit of the depository to itself is refused', () => {
  const own = { ...terms({ currency: NATIVE, amount: TON }), from: rules.depository }
  expect(() => paymentStep(own, null)).toThrow('cannot deposit to itself')
})
