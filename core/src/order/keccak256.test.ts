import { keccak_256 } from '@noble/hashes/sha3.js'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { keccak256 } from './keccak256.js'

it('equals another implementation for any input, around block limits and in long runs (chains.md "Hashing")', () => {
  for (const length of [0, 1, 31, 32, 135, 136, 137, 271, 272, 273, 16_383, 16_384, 16_385, 100_000]) {
    const bytes = Uint8Array.from({ length }, (_, index) => index * 7)
    expect(Buffer.from(keccak256(bytes)).equals(keccak_256(bytes)), `${length} bytes`).toBe(true)
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
      expect(Buffer.from(keccak256(bytes)).equals(keccak_256(bytes))).toBe(true)
    }),
  )
})

it('returns fresh bytes and reads a view of a larger buffer', () => {
  const buffer = Uint8Array.of(9, 1, 2, 3, 9)
  const first = keccak256(buffer.subarray(1, 4))
  const copy = Uint8Array.from(first)
  keccak256(buffer)
  expect(first).toEqual(copy)
  expect(keccak256(Buffer.from([1, 2, 3]))).toEqual(copy)
})
