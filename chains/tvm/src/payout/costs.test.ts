import { randomBytes } from 'node:crypto'
import { bytesToHex } from '@causeway/core'
import { createSecp256k1Signer } from '@causeway/core/chain'
import { beforeAll, describe, expect, it } from 'vitest'
import { addressOfKey } from '../address/keyAddress.js'
import { loadEncoder, signTransaction } from '../lane/signTransaction.js'
import type { Prices } from '../rpc/accounts.js'
import { bytesOf, feeOf, limitOf } from './costs.js'

const PRICES: Prices = {
  ...{ energy: 100n, byte: 1000n, memo: 1_000_000n, activationBandwidth: 100_000n, activation: 1_000_000n },
  ...{ maxFeeLimit: 15_000_000_000n, contractsRefuse: true },
}
const CALL = { energy: 65_000n, bytes: 350n, hasMemo: false, activates: false }

describe('bandwidth', () => {
  // Tests do not wait for the library within their time limit.
  beforeAll(() => loadEncoder(), 60_000)

  it.each([
    ['', 'aa'.repeat(32), 5n],
    ['', 'aa'.repeat(69), 123_456_789n],
    ['', '', 2n ** 50n],
    ['bb'.repeat(100), '', 0n],
    ['bb'.repeat(68), '', 999_999_999n],
    ['bb'.repeat(900), '', 0n],
  ])('is that of the bytes that are signed (%#)', async (data, memo, value) => {
    const signer = createSecp256k1Signer(bytesToHex(randomBytes(32)))
    const now = Date.now()
    const { hex } = await signTransaction(
      {
        ...{ owner: addressOfKey(signer.publicKey), to: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', value: `${value}` },
        ...{ data, memo, feeLimit: data === '' ? '0' : '15000000000', timestamp: `${now}`, expiration: `${now + 1}` },
        ...{ refBlockBytes: '0102', refBlockHash: '0102030405060708' },
      },
      signer,
    )
    expect(bytesOf({ data, memo, value })).toBe(BigInt(hex.length / 2 + 64))
  })
})

describe('the fee', () => {
  it('buys energy and bytes that an account has not staked', () => {
    expect(feeOf(CALL, PRICES)).toBe(6_500_000n + 350_000n)
    expect(feeOf(CALL, PRICES, { freeNet: 600n, stakedNet: 0n, energy: 60_000n })).toBe(500_000n)
    expect(feeOf(CALL, PRICES, { freeNet: 349n, stakedNet: 0n, energy: 99_999n })).toBe(350_000n)
  })

  it('has a price of its own for an activation, which free bandwidth does not pay', () => {
    const sent = { energy: 0n, bytes: 300n, hasMemo: true, activates: true }
    expect(feeOf(sent, PRICES, { freeNet: 600n, stakedNet: 0n, energy: 0n })).toBe(2_100_000n)
    expect(feeOf(sent, PRICES, { freeNet: 0n, stakedNet: 300n, energy: 0n })).toBe(2_000_000n)
  })
})

describe('the fee limit', () => {
  it('is above what the call takes now, and covers energy that is staked', () => {
    expect(limitOf(CALL, PRICES, 200_000_000n)).toEqual({ feeLimit: 8_450_000n, cap: 8_800_000n })
  })

  it('is cut by the limit of the payment, and there is none below its cost', () => {
    expect(limitOf(CALL, PRICES, 7_000_000n)).toEqual({ feeLimit: 6_650_000n, cap: 7_000_000n })
    expect(limitOf(CALL, PRICES, 6_849_999n)).toBeNull()
  })
})
