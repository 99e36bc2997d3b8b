import { createEd25519Signer } from '@causeway/core/chain'
import { Cell, comment, loadMessage } from '@ton/core'
import { keyPairFromSeed } from '@ton/crypto'
import { WalletContractV5R1 } from '@ton/ton'
import { describe, expect, it } from 'vitest'
import { addressOfKey } from '../address/wallets.js'

import { readPayment } from './readPayment.js'
import { signRequest } from './signRequest.js'
import { externalHash, readRequest } from './walletRequest.js'

const keys = keyPairFromSeed(Buffer.alloc(32, 7))
const signer = createEd25519Signer(`0x${'07'.repeat(32)}`)
const account = WalletContractV5R1.create({ publicKey: keys.publicKey }).address.toRawString()
const form = (value: string, memo: string) => ({
  ...{ to: account, value, isBounceable: false },
  body: comment(memo).toBoc().toString('base64'),
})

/** The message that is signed for a number, as the node gets it. */
const signed = async (seqno: string) => {
  const messages = [form('5', '0xab'), form('6', '0xcd')]
  const made = await signRequest(
    { account, seqno, until: '1800000000', messages },
    { ownerOf: () => signer, networkId: -239, signer },
  )
  return { ...made, message: loadMessage(Cell.fromHex(made.raw.slice(2)).beginParse()) }
}

describe('a request of a wallet v5r1', () => {
  it.each(['0', '3'])('of number %s names its payments, its number and its expiry', async (seqno) => {
    const { message, txId, locator } = await signed(seqno)
    const read = readRequest(message.body)
    expect([read?.seqno, read?.until]).toEqual([BigInt(seqno), 1_800_000_000n])
    const payments = (read?.messages ?? []).map((one) => readPayment(one, account))
    const terms = payments.map((payment) => `${payment?.to} ${payment?.amount} ${payment?.memo}`)
    expect(terms.sort()).toEqual([`${account} 5 0xab`, `${account} 6 0xcd`])
    expect([txId, locator]).toEqual([externalHash(message), { account, seqno }])
    // Only the first request brings the code.
    expect(message.init == null).toBe(seqno !== '0')
  })

  it('is none in any other body', () => {
    expect(readRequest(comment('0xab'))).toBe(null)
  })
})

it('the wallet of a key is the one that other programs know', () => {
  expect(addressOfKey(keys.publicKey, -239)).toBe(account)
  expect(addressOfKey(keys.publicKey, -3) === account).toBe(false)
})
