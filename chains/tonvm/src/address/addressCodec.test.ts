import { readFileSync } from 'node:fs'
import { addressCodecOf } from '@causeway/core/chain'
import { checkedAddressCodec } from '@causeway/core/chain-kit'
import { expect, it } from 'vitest'
import { NATIVE, validateAddress } from './addresses.js'

// CAST: the recorded addresses, whose sources the file names.
const recorded = JSON.parse(readFileSync(new URL('fixtures/addresses.json', import.meta.url), 'utf8')) as {
  readonly hash: string
  readonly mainnet: readonly string[]
  readonly testnet: readonly string[]
  readonly masterchain: readonly string[]
}

const codec = checkedAddressCodec('ton-vm', 'TON', (text) => validateAddress(text, { isTestnet: true }))

it('an address of a test network has the bytes of its account, in every spelling', () => {
  for (const text of [...recorded.mainnet, ...recorded.testnet, `0:${recorded.hash}`]) {
    expect(Buffer.from(codec.encode(text)).toString('hex')).toBe(recorded.hash)
  }
  expect(codec.decode(Buffer.from(recorded.hash, 'hex'))).toBe(`0:${recorded.hash}`)
  expect(codec.encode(NATIVE)).toEqual(new Uint8Array(32))
})

it('other addresses are refused, and the main network refuses those with the test flag', () => {
  for (const text of [...recorded.masterchain, 'x', '']) expect(() => codec.encode(text)).toThrow('TON address: ')
  for (const text of recorded.testnet) expect(() => addressCodecOf('ton-vm').encode(text)).toThrow()
})
