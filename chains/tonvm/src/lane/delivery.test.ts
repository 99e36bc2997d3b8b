import { readFileSync } from 'node:fs'
import { Address, beginCell, Cell, Dictionary, loadTransaction, type Message, type Transaction } from '@ton/core'
import { expect, it } from 'vitest'
import { isInternal } from '../read/arrival.js'
import { internalMessage } from '../testing/engine/internalMessage.js'
import { follow } from './delivery.js'
import type { ReadPayment } from './readPayment.js'

const file = new URL('../testing/engine/fixtures/transactions.json', import.meta.url)
// CAST: the recorded transactions, whose sources the file names.
const { transactions } = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly transactions: readonly { readonly name: string; readonly boc: string }[]
}
const boc = transactions.find(({ name }) => name === 'transaction')?.boc ?? ''
const recorded = loadTransaction(Cell.fromBase64(boc).beginParse())
const [payer, wallet, receiver] = [1, 2, 3].map((byte) => new Address(0, Buffer.alloc(32, byte)))
if (payer === undefined || wallet === undefined || receiver === undefined) throw new Error('There are three accounts')

const transfer = beginCell().storeUint(0x178d4519, 32).storeUint(0, 64).storeCoins(7n).endCell()

const sending = (...messages: Message[]): Transaction => {
  const outMessages = Dictionary.empty<number, Message>(Dictionary.Keys.Uint(15))
  for (const [at, message] of messages.entries()) outMessages.set(at, message)
  return { ...recorded, outMessages }
}

const payment: ReadPayment = {
  ...{
    to: receiver.toRawString(),
    amount: 7n,
    memo: null,
    path: [() => true, () => true],
    attached: 0n,
    isCarried: false,
  },
  jettons: { wallet: wallet.toRawString(), owner: payer.toRawString() },
}
const block = { height: 1n, hash: '', time: 1 }

/** Follows a transfer of jettons whose last transaction is given. */
const followed = (arrived: Transaction) => {
  const message = internalMessage(payer, wallet, 5n)
  if (!isInternal(message)) throw new Error('The message is not internal')
  const reached = [sending(internalMessage(wallet, receiver, 5n, { body: transfer })), arrived]
  const arrivals = async () => {
    const transaction = reached.shift()
    return transaction === undefined ? null : { transaction, block }
  }
  return follow(arrivals, { transaction: recorded, block, message }, payment)
}

it('jettons arrive where the code of the jetton wallet ran', async () => {
  expect(await followed(sending())).toMatchObject({ state: 'arrived', amount: 7n })
})

it('jettons do not arrive at an account without code', async () => {
  const { description } = recorded
  if (description.type !== 'generic') throw new Error('The transaction is not ordinary')
  const skipped = { ...description, computePhase: { type: 'skipped', reason: 'no-state' } } as const
  expect(await followed({ ...sending(), description: skipped })).toMatchObject({ state: 'failed' })
})
