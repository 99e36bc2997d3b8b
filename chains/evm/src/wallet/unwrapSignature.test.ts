import type { Hex } from '@causeway/core'
import fc from 'fast-check'
import { serializeErc6492Signature } from 'viem'
import { expect, it } from 'vitest'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { unwrapSignature } from './unwrapSignature.js'

const FACTORY = '0x00000000000000000000000000000000000000f1'
const ENDING = '6492'.repeat(16)

const bytes = fc.uint8Array({ maxLength: 300 }).map((value): Hex => `0x${Buffer.from(value).toString('hex')}`)

it('a signature without a wrapper stays as it is, and nothing is to be called', () => {
  for (const signature of ['0x00', `0x${'ab'.repeat(65)}`, `0x${ENDING.slice(2)}`] as const) {
    expect(unwrapSignature(signature)).toEqual({ signature, factory: ZERO_ADDRESS, factoryCall: '0x' })
  }
})

it('property: gives back what was wrapped', () => {
  fc.assert(
    fc.property(bytes, bytes, (signature, data) => {
      const wrapped = serializeErc6492Signature({ address: FACTORY, data, signature })
      expect(unwrapSignature(wrapped)).toEqual({ signature, factory: FACTORY, factoryCall: data })
    }),
  )
})

it('takes one wrapper off, not those within it', () => {
  const inner = serializeErc6492Signature({ address: FACTORY, data: '0x01', signature: '0x02' })
  const wrapped = serializeErc6492Signature({ address: FACTORY, data: '0x03', signature: inner })
  expect(unwrapSignature(wrapped)?.signature).toBe(inner)
})

it('property: whatever else ends so is none, and throws nothing', () => {
  const word = fc.constantFrom('00'.repeat(32), 'ff'.repeat(32), `${'00'.repeat(31)}20`, `${'00'.repeat(31)}60`)
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          word,
          bytes.map((hex) => hex.slice(2)),
        ),
        { maxLength: 12 },
      ),
      (parts) => {
        const found = unwrapSignature(`0x${parts.join('')}${ENDING}`)
        if (found !== null) expect(found.factory).toMatch(/^0x[0-9a-f]{40}$/)
      },
    ),
  )
  for (const body of ['', '00', 'ff'.repeat(96), `${'00'.repeat(12)}${'11'.repeat(20)}${'ff'.repeat(64)}`]) {
    expect(unwrapSignature(`0x${body}${ENDING}`)).toBeNull()
  }
})
