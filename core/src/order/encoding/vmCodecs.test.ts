import { base58, base64, bech32, bech32m } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PROTOCOL_VM_TYPES } from '../../chain/vmType.js'
import { arbitraryAddressBytes } from '../fixtures/arbitraryOrder.js'
import { orderVectors } from '../fixtures/orderVectors.js'
import { bytesToHex, hexToBytes } from '../hexBytes.js'
import { OrderEncodingError } from '../orderEncodingError.js'
import { createBitcoinCodec } from './bitcoin.js'
import { decodeAddress, encodeAddress, encodeTransactionId, vmCodecs } from './vmCodecs.js'

const vmTypes = [...vmCodecs.keys()]

describe('address encodings (chains.md, row 2 of each VM)', () => {
  it('covers the nine VMs of the wire', () => {
    expect(vmTypes.toSorted()).toEqual(Object.values(PROTOCOL_VM_TYPES).toSorted())
  })

  it.each(orderVectors.addressEncodings)('$vmType $address', ({ vmType, address, bytes }) => {
    expect(bytesToHex(encodeAddress(vmType, address))).toBe(bytes)
    const decoded = decodeAddress(vmType, hexToBytes(bytes, 'vector'))
    expect(bytesToHex(encodeAddress(vmType, decoded))).toBe(bytes)
    // TON's friendly form is the only one that decoding does not give back.
    if (!address.startsWith('EQ')) expect(decoded).toBe(address)
  })

  it.each(vmTypes)('%s: text of any well-formed bytes encodes to those bytes', (vmType) => {
    fc.assert(
      fc.property(arbitraryAddressBytes(vmType), (bytes) => {
        expect(bytesToHex(encodeAddress(vmType, decodeAddress(vmType, bytes)))).toBe(bytesToHex(bytes))
      }),
      { numRuns: 50 },
    )
  })
})

describe('equal bytes of equal accounts', () => {
  const zeros = '0'.repeat(24)
  it.each([
    ['ethereum-vm', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'],
    ['bitcoin-vm', 'BC1QZMTN0Q92AYEJT2HPFFVLKTCPMYY7VVSD06SEFU', 'bc1qzmtn0q92ayejt2hpffvlktcpmyy7vvsd06sefu'],
    ['tron-vm', '41a614f803b6fd780986a42c78ec9c7f77e6ded13c', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
    [
      'ton-vm',
      '0:F1A236EFC5D408E549FE5D16D07EACE4ABCA3BAA23258C7273F3C7EDBD81DB31',
      'UQDxojbvxdQI5Un-XRbQfqzkq8o7qiMljHJz88ftvYHbMQwB',
    ],
    ['ton-vm', 'UQDxojbvxdQI5Un+XRbQfqzkq8o7qiMljHJz88ftvYHbMQwB', 'UQDxojbvxdQI5Un-XRbQfqzkq8o7qiMljHJz88ftvYHbMQwB'],
    ['lighter-vm', '00723071', '723071'],
    ['hedera-vm', `0x${zeros}000000000006f89a`, '0.0.456858'],
    ['hedera-vm', `0.0.${zeros}000000000006f89a`, '0.0.456858'],
    // One account without a tag in both forms.
    ['xrp-vm', 'XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb', 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf'],
  ])('%s %s', (vmType, spelling, canonical) => {
    expect(bytesToHex(encodeAddress(vmType, spelling))).toBe(bytesToHex(encodeAddress(vmType, canonical)))
  })
})

describe('malformed addresses are refused', () => {
  const segwit = (coder: typeof bech32, version: number, length: number) =>
    coder.encode('bc', [version, ...coder.toWords(new Uint8Array(length).fill(7))])
  const badTon = base64.encode(new Uint8Array(36))

  it.each([
    ['bitcoin-vm', ''],
    ['bitcoin-vm', 'bc1qzmtn0q92ayejt2hpffvlktcpmyy7vvsd06sefv'], // checksum
    ['bitcoin-vm', 'bc1Qzmtn0q92ayejt2hpffvlktcpmyy7vvsd06sefu'], // mixed case
    ['bitcoin-vm', segwit(bech32, 0, 19)],
    ['bitcoin-vm', segwit(bech32, 1, 32)], // version 1 needs bech32m
    ['bitcoin-vm', segwit(bech32m, 0, 20)], // version 0 needs bech32
    ['bitcoin-vm', segwit(bech32m, 17, 32)],
    // What later versions hold anybody could spend: no fill pays them (chains.md bvm 1).
    ['bitcoin-vm', segwit(bech32m, 2, 32)],
    ['bitcoin-vm', segwit(bech32m, 16, 2)],
    ['bitcoin-vm', segwit(bech32m, 1, 20)],
    ['bitcoin-vm', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'], // test network
    ['bitcoin-vm', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn'], // test network
    ['bitcoin-vm', '1KT3zCYUrmQxjcveUNs1Rs7WcXDcPQZ4aw'],
    ['bitcoin-vm', '1'.repeat(89)],
    ['ethereum-vm', '0x4cd00e387622c35bddb9b4c962c136462338bc3'],
    ['ethereum-vm', '0x4cd00e387622c35bddb9b4c962c136462338bc311'],
    ['ethereum-vm', '4cd00e387622c35bddb9b4c962c136462338bc3100'],
    ['ethereum-vm', '0x4cd00e387622c35bddb9b4c962c136462338bcg1'],
    ['ethereum-vm', '0X4cd00e387622c35bddb9b4c962c136462338bc31'],
    ['hyperliquid-vm', '0x0000'],
    ['hyperliquid-vm', `0x${'0'.repeat(66)}`],
    ['solana-vm', '0x0000000000000000000000000000000000000000'],
    ['solana-vm', '1'.repeat(33)],
    ['solana-vm', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyT'],
    ['solana-vm', base58.encode(new Uint8Array(33).fill(255))],
    ['tron-vm', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T'],
    ['tron-vm', '1KT3zCYUrmQxjcveUNs1Rs7WcXDcPQZ4av'], // valid base58check of another version
    ['tron-vm', '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c'],
    ['ton-vm', 'UQDxojbvxdQI5Un-XRbQfqzkq8o7qiMljHJz88ftvYHbMQwC'],
    ['ton-vm', badTon],
    ['ton-vm', '-1:ab746b034ea036b7ac5147837a57827bd3917bc3f5506d47479e87ec87ef2554'],
    ['ton-vm', '0:ab746b034ea036b7ac5147837a57827bd3917bc3f5506d47479e87ec87ef25'],
    ['ton-vm', 'kQDxojbvxdQI5Un-XRbQfqzkq8o7qiMljHJz88ftvYHbMQwB'],
    ['lighter-vm', ''],
    ['lighter-vm', '-1'],
    ['lighter-vm', '0x10'],
    ['lighter-vm', (2n ** 128n).toString()],
    ['xrp-vm', 'rJBdWA9p5KwBoqSQTyMdg3UHLsJVzGVu5M'],
    ['xrp-vm', '1KT3zCYUrmQxjcveUNs1Rs7WcXDcPQZ4av'],
    ['xrp-vm', 'XVLhHMPHU98es4dbozjVtdWzVrDjtV8AqEL4xcZj5whKbmc'], // tag 0 is a tag too
    ['hedera-vm', '0.0.0456858'],
    ['hedera-vm', '0.0.456858-ojdqc'],
    ['hedera-vm', '0.1.5'],
    ['hedera-vm', '1.0.5'],
    ['hedera-vm', '0.0.9223372036854775808'],
    ['hedera-vm', '0.0.302a300506032b6570032100'],
  ])('%s %s', (vmType, address) => {
    expect(() => encodeAddress(vmType, address)).toThrow(OrderEncodingError)
  })

  it.each(vmTypes)(
    '%s: one changed character gives other bytes, and none at all where the form has a checksum',
    (vmType) => {
      const checksummed = ['bitcoin-vm', 'tron-vm', 'xrp-vm'].includes(vmType)
      fc.assert(
        fc.property(arbitraryAddressBytes(vmType), fc.nat(), fc.constantFrom(...'2aZ*é'), (bytes, at, character) => {
          const text = decodeAddress(vmType, bytes)
          const index = at % text.length
          if (text[index]?.toLowerCase() === character.toLowerCase()) return
          const changed = text.slice(0, index) + character + text.slice(index + 1)
          const encoded = bytesOrNull(vmType, changed)
          if (checksummed) expect(encoded).toBeNull()
          else expect(encoded).not.toBe(bytesToHex(bytes))
        }),
        { numRuns: 40 },
      )
    },
  )

  it('bytes of a wrong length have no text', () => {
    for (const vmType of vmTypes) {
      for (const length of [0, 1, 15, 42, 64]) {
        expect(() => decodeAddress(vmType, new Uint8Array(length)), `${vmType} ${length}`).toThrow(OrderEncodingError)
      }
    }
  })

  it('an unknown VM', () => {
    expect(() => encodeAddress('sui-vm', '0x00')).toThrow(OrderEncodingError)
    expect(() => encodeAddress('toString', '0x00', {})).toThrow(OrderEncodingError)
  })

  function bytesOrNull(vmType: string, text: string): string | null {
    try {
      return bytesToHex(encodeAddress(vmType, text))
    } catch (error) {
      if (error instanceof OrderEncodingError) return null
      throw error
    }
  }
})

it('a codec of another Bitcoin network takes that network only', () => {
  const regtest = createBitcoinCodec({ prefix: 'bcrt', publicKeyHash: 0x6f, scriptHash: 0xc4 })
  const bytes = hexToBytes('0x00751e76e8199196d454941c45d1b3a323f1433bd6', 'program')
  expect(regtest.decode(bytes)).toBe('bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080')
  expect(bytesToHex(regtest.encode(regtest.decode(bytes)))).toBe(bytesToHex(bytes))
  expect(() => regtest.encode('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')).toThrow(OrderEncodingError)
})

describe('transaction ids (chains.md, rows 1 and 2 of each VM)', () => {
  const digits = '0123456789abcdef'.repeat(4)
  const signature = base58.encode(new Uint8Array(64).fill(9))

  it.each([
    ['bitcoin-vm', digits, `0x${digits}`],
    ['ethereum-vm', `0x${digits}`, `0x${digits}`],
    ['tron-vm', digits, `0x${digits}`],
    ['ton-vm', digits, `0x${digits}`],
    ['hyperliquid-vm', `0x${digits}`, `0x${digits}`],
    ['xrp-vm', digits.toUpperCase(), `0x${digits}`],
    ['lighter-vm', digits + digits.slice(0, 16), `0x${digits}${digits.slice(0, 16)}`],
    ['lighter-vm', `0x${digits}`, `0x${digits}`],
    ['solana-vm', signature, `0x${'09'.repeat(64)}`],
    ['hedera-vm', '0.0.5@1700000000.000000001', bytesToHex(Buffer.from('0.0.5@1700000000.000000001'))],
  ])('%s %s', (vmType, id, bytes) => {
    expect(bytesToHex(encodeTransactionId(vmType, id))).toBe(bytes)
  })

  it.each([
    ['bitcoin-vm', `0x${digits}`],
    ['bitcoin-vm', digits.slice(2)],
    ['ethereum-vm', digits],
    ['tron-vm', `0x${digits}`],
    ['ton-vm', digits.toUpperCase()],
    ['hyperliquid-vm', `0x${digits}00`],
    ['xrp-vm', `${digits.slice(1)}g`],
    ['lighter-vm', ''],
    ['lighter-vm', 'abc'],
    ['solana-vm', base58.encode(new Uint8Array(63).fill(9))],
    ['hedera-vm', '0.0.5-1700000000-000000001'],
    ['sui-vm', digits],
  ])('refused: %s %s', (vmType, id) => {
    expect(() => encodeTransactionId(vmType, id)).toThrow(OrderEncodingError)
  })
})
