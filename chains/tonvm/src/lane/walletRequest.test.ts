import { comment, internal, SendMode } from '@ton/core'
import { keyPairFromSeed, signVerify } from '@ton/crypto'
import { WalletContractV5R1 } from '@ton/ton'
import { describe, expect, it } from 'vitest'
import { walletOfKey } from '../address/wallets.js'
import { readPayment } from './readPayment.js'
import { readRequest, requestCell, signedBody, WALLET_OPS } from './walletRequest.js'

const keys = keyPairFromSeed(Buffer.alloc(32, 7))
const theirs = WalletContractV5R1.create({ publicKey: keys.publicKey })
const wallet = walletOfKey(keys.publicKey, -239)
const MODE: SendMode = SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS
const message = internal({ to: theirs.address, value: 5n, bounce: false, body: comment('0xab') })
const request = { op: WALLET_OPS.external, walletId: wallet.walletId, until: 1_800_000_000n }

describe('a request of a wallet v5r1', () => {
  it('is the one that @ton/ton makes', () => {
    const body = theirs.createTransfer({
      ...{ seqno: 3, timeout: 1_800_000_000, messages: [message], secretKey: keys.secretKey, sendMode: MODE },
    })
    const cell = requestCell({ ...request, seqno: 3n, messages: [{ message, mode: MODE }] })
    const signature = body.beginParse().skip(body.bits.length - 512).loadBuffer(64)
    expect(signVerify(cell.hash(), signature, keys.publicKey)).toBe(true)
    expect(signedBody(cell, signature).equals(body)).toBe(true)
    expect(wallet.address).toBe(theirs.address.toRawString())
  })

  it('expires also when it is the first one, unlike that of @ton/ton', () => {
    const cell = requestCell({ ...request, seqno: 0n, messages: [{ message, mode: MODE }] })
    expect(readRequest(signedBody(cell, Buffer.alloc(64)))?.until).toBe(1_800_000_000n)
    const terms = { seqno: 0, timeout: 1_800_000_000, messages: [message], secretKey: keys.secretKey, sendMode: MODE }
    expect(readRequest(theirs.createTransfer(terms))?.until).toBe(2n ** 32n - 1n)
  })

  it('names its payments in order', () => {
    const other = internal({ to: theirs.address, value: 6n, bounce: false, body: comment('0xcd') })
    const messages = [message, other].map((each) => ({ message: each, mode: MODE }))
    const read = readRequest(signedBody(requestCell({ ...request, seqno: 1n, messages }), Buffer.alloc(64)))
    const payments = read?.messages.map((one) => readPayment(one.message, wallet.address))
    expect(payments?.map((payment) => [payment?.to, payment?.amount, payment?.memo])).toEqual([
      [wallet.address, 5n, '0xab'],
      [wallet.address, 6n, '0xcd'],
    ])
  })

  it('is none in any other body', () => {
    expect(readRequest(comment('0xab'))).toBe(null)
  })
})
