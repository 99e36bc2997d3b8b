import { Address, beginCell, comment } from '@ton/core'
import { expect, it } from 'vitest'
import { jettonTransferBody, readNotification } from './jettonBodies.js'

const sender = new Address(0, Buffer.alloc(32, 1))
const recipient = new Address(0, Buffer.alloc(32, 2))

const notification = () => beginCell().storeUint(0x7362d09c, 32).storeUint(9, 64)

it('a transfer has the fields of TEP-74', () => {
  const slice = jettonTransferBody({
    ...{ queryId: 7n, amount: 400n, recipient, responseTo: sender, forwardValue: 1n },
    forwardPayload: comment('order'),
  }).beginParse()
  expect([slice.loadUint(32), slice.loadUint(64), slice.loadCoins()]).toEqual([0x0f8a7ea5, 7, 400n])
  expect([String(slice.loadAddress()), String(slice.loadAddress())]).toEqual([String(recipient), String(sender)])
  expect([slice.loadMaybeRef(), slice.loadCoins(), slice.loadBit()]).toEqual([null, 1n, true])
  expect(slice.loadRef().equals(comment('order'))).toBe(true)
})

it('a notification is read with its payload in a reference, and in the body', () => {
  const payload = comment('order')
  const inReference = notification().storeCoins(5n).storeAddress(sender).storeBit(true).storeRef(payload).endCell()
  const inBody = notification().storeCoins(5n).storeAddress(sender).storeBit(false).storeSlice(payload.beginParse())
  for (const body of [inReference, inBody.endCell()]) {
    const read = readNotification(body)
    expect([read?.amount, String(read?.sender), read?.payload.skip(32).loadStringTail()]).toEqual([
      ...[5n, String(sender), 'order'],
    ])
  }
})

it('a notification of minted jettons has no sender', () => {
  const body = notification().storeCoins(5n).storeAddress(null).storeBit(false).endCell()
  expect(readNotification(body)).toMatchObject({ amount: 5n, sender: null })
})

it.each([
  ['an empty body', beginCell()],
  ['another operation', beginCell().storeUint(0x178d4519, 32).storeUint(0, 64)],
  ['a body that ends early', notification()],
  ['an amount without a sender', notification().storeCoins(5n)],
  ['a payload that is missing', notification().storeCoins(5n).storeAddress(sender).storeBit(true)],
])('%s is no notification', (_, builder) => {
  expect(readNotification(builder.endCell())).toBeNull()
})
