import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesToHex } from '../hexBytes.js'
import { OrderEncodingError } from '../orderEncodingError.js'
import { decodeAddress, encodeAddress } from './vmCodecs.js'

const ISSUER = 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf'
const TAGLESS = 'XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb'
const LETTERS = [...'ABCXYZabcxyz0189?!@#$%^&*<>(){}[]|']

const encode = (text: string) => encodeAddress('xrp-vm', text)

describe('issued currencies of the XRP Ledger', () => {
  it('are the 20 bytes of their code and the 20 of their issuer', () => {
    const account = bytesToHex(encode(ISSUER)).slice(2)
    expect(bytesToHex(encode(`USD.${ISSUER}`))).toBe(`0x${'0'.repeat(24)}555344${'0'.repeat(10)}${account}`)
    const hex = '524C555344000000000000000000000000000000'
    expect(bytesToHex(encode(`${hex}.${ISSUER}`))).toBe(`0x${hex.toLowerCase()}${account}`)
  })

  it('are spelt in one way, which the bytes give back', () => {
    const letters = fc.array(fc.constantFrom(...LETTERS), { minLength: 3, maxLength: 3 }).map((all) => all.join(''))
    const bytes = fc.uint8Array({ minLength: 20, maxLength: 20 }).filter(([first]) => first !== 0)
    const codes = fc.oneof(
      letters,
      bytes.map((code) => bytesToHex(code).slice(2).toUpperCase()),
    )
    fc.assert(
      fc.property(codes, (code) => {
        fc.pre(code !== 'XRP')
        expect(decodeAddress('xrp-vm', encode(`${code}.${ISSUER}`))).toBe(`${code}.${ISSUER}`)
      }),
    )
  })

  it.each([
    `XRP.${ISSUER}`,
    `US.${ISSUER}`,
    `USDT.${ISSUER}`,
    `524c555344000000000000000000000000000000.${ISSUER}`,
    `0000000000000000000000005553440000000000.${ISSUER}`,
    `USD.${TAGLESS}`,
    'USD.',
    `.${ISSUER}`,
    `USD.${ISSUER.slice(0, -1)}a`,
    `USD.${ISSUER}.USD`,
  ])('%s is refused', (text) => {
    expect(() => encode(text)).toThrow(OrderEncodingError)
  })

  it('bytes that no code has are refused', () => {
    const strange = new Uint8Array(40).fill(1)
    strange[0] = 0
    expect(() => decodeAddress('xrp-vm', strange)).toThrow(OrderEncodingError)
    expect(() => decodeAddress('xrp-vm', new Uint8Array(39))).toThrow(OrderEncodingError)
  })
})
