import { secp256k1 } from '@noble/curves/secp256k1.js'
import { describe, expect, it } from 'vitest'
import { addressOfKey } from '../wire/addresses.js'
import { hexOf } from '../wire/protobuf.js'
import { type RawTransaction, unsignedTransaction } from '../wire/transactions.js'
import { checkSignature, checkTimes } from './admission.js'
import { TronBlocks } from './tronBlocks.js'

const SECRET = Buffer.alloc(32, 7)
const OWNER = addressOfKey(secp256k1.getPublicKey(SECRET, true))

const blocks = new TronBlocks(1)
for (let at = 0; at < 300; at += 1) blocks.addAt(1_000_000 + at, [])
const headMs = blocks.head.time * 1000
const hashAt = (height: number) => blocks.block(height)?.hash.slice(16, 32) ?? ''

const txWith = (changes: Partial<RawTransaction> = {}) =>
  unsignedTransaction({
    ...{
      refBlockBytes: '012b',
      refBlockHash: hashAt(299),
      expiration: headMs + 60_000,
      timestamp: headMs,
      feeLimit: 0,
    },
    ...{ data: '', ...changes },
    call: { kind: 'TransferContract', value: { owner_address: OWNER, to_address: OWNER, amount: 1 }, permission: 0 },
  })

const signatureOf = (id: string, secret: Uint8Array): string => {
  const [recovery = 0, ...rest] = secp256k1.sign(Buffer.from(id, 'hex'), secret, {
    prehash: false,
    format: 'recovered',
  })
  return hexOf(Uint8Array.from([...rest, recovery + 27]))
}

describe('a transaction', () => {
  it('must be signed by its owner alone, once', () => {
    const tx = txWith()
    const own = signatureOf(tx.id, SECRET)
    expect(() => checkSignature({ ...tx, signatures: [own] })).not.toThrow()
    const other = signatureOf(tx.id, Buffer.alloc(32, 8))
    for (const signatures of [[], [other], [own, own], [signatureOf('ab'.repeat(32), SECRET)], ['00'.repeat(65)]]) {
      expect(() => checkSignature({ ...tx, signatures })).toThrow('Validate signature error')
    }
  })

  it('must refer to a block of this chain', () => {
    expect(() => checkTimes(txWith(), blocks)).not.toThrow()
    expect(() => checkTimes(txWith({ refBlockBytes: '0000', refBlockHash: hashAt(0) }), blocks)).not.toThrow()
    for (const changes of [
      { refBlockHash: hashAt(298) },
      { refBlockBytes: '012c' },
      { refBlockBytes: 'ffff' },
      { refBlockBytes: '' },
    ]) {
      expect(() => checkTimes(txWith(changes), blocks)).toThrow('Tapos')
    }
  })

  it('expires at the time of the newest block, and within a day', () => {
    for (const expiration of [headMs + 1, headMs + 86_400_000]) {
      expect(() => checkTimes(txWith({ expiration }), blocks)).not.toThrow()
    }
    for (const expiration of [0, headMs, headMs + 86_400_001]) {
      expect(() => checkTimes(txWith({ expiration }), blocks)).toThrow('expiration')
    }
  })

  it('may have at most 500 KB', () => {
    expect(() => checkTimes(txWith({ data: 'ab'.repeat(512_000) }), blocks)).toThrow('too big')
  })
})

describe('a block', () => {
  it('has its height in its id, and the first one the chain id', () => {
    expect(blocks.block(0)?.hash).toMatch(/^0{16}.*00000001$/)
    expect(blocks.head.hash.slice(0, 16)).toBe((299).toString(16).padStart(16, '0'))
    expect(blocks.head.time).toBe(1_000_299)
  })
})
