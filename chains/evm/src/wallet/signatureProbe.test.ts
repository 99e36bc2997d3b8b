import type { Hex } from '@causeway/core'
import { MAX_SIGNATURE_BYTES } from '@causeway/core/chain'
import { describe, expect, it } from 'vitest'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { probeCall, readProbe } from './signatureProbe.js'

const WALLET = { wallet: `0x${'11'.repeat(20)}`, digest: `0x${'22'.repeat(32)}` } as const
const plain = { signature: '0x33', factory: ZERO_ADDRESS, factoryCall: '0x' } as const
const wrapped = { ...plain, factory: `0x${'44'.repeat(20)}` } as const

/** What a node is asked to spend at most. */
const gasOf = (unwrapped: Parameters<typeof probeCall>[1], gasLimit: bigint): bigint => {
  // CAST: the parameters of an `eth_call`.
  const [call] = probeCall(WALLET, unwrapped, gasLimit).params as readonly [{ readonly gas: Hex }]
  return BigInt(call.gas)
}

describe('gas of a question (F82)', () => {
  it('is bounded by what the signature may lead to: one call, or three of a wrapped one', () => {
    expect(gasOf(plain, 1_000_000n)).toBeLessThan(1_500_000n)
    expect(gasOf(wrapped, 1_000_000n)).toBeLessThan(3_500_000n)
    const longest = `0x${'ff'.repeat(MAX_SIGNATURE_BYTES)}` as const
    expect(gasOf({ ...plain, signature: longest }, 1_000_000n)).toBeLessThan(2_500_000n)
    expect(gasOf(wrapped, 2_000_000n) - gasOf(wrapped, 1_000_000n)).toBeGreaterThan(3_000_000n)
  })
})

describe('the word of the probe', () => {
  const word = (digit: string) => `0x${digit.padStart(64, '0')}`

  it('is one of three', () => {
    expect(['0', '1', '2'].map((digit) => readProbe(word(digit)))).toEqual(['invalid', 'valid', 'absent'])
  })

  it.each([
    '0x',
    '0x01',
    word('3'),
    `${word('1')}00`,
    word('1').slice(2),
    `0x1${'0'.repeat(63)}`,
    null,
    1,
    {},
    [word('1')],
  ])('%j is a strange answer of the node', (answer) => {
    expect(() => readProbe(answer)).toThrow(expect.objectContaining({ code: 'RPC_HTTP_ERROR' }))
  })
})
