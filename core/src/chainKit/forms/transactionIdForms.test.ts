import { describe, expect, it } from 'vitest'
import {
  bareHexId,
  base58SignatureId,
  capitalHexId,
  payerTimeId,
  prefixedHexId,
  shortHexId,
} from './transactionIdForms.js'

const hex = 'aB'.repeat(32)
const signature = '5'.repeat(88)
const payerTime = '0.0.1234@1700000000.000000001'

describe('forms of transaction ids (chains.md, row 1 of each VM)', () => {
  it.each([
    ['prefixed hex', prefixedHexId, `0x${hex}`, `0x${hex.toLowerCase()}`],
    ['bare hex', bareHexId, hex, hex.toLowerCase()],
    ['bare hex', bareHexId, `0x${hex}`, hex.toLowerCase()],
    ['capitals', capitalHexId, hex, hex.toUpperCase()],
    ['short hex', shortHexId, `0x${hex.slice(0, 32)}`, hex.slice(0, 32).toLowerCase()],
    ['a signature', base58SignatureId, signature, signature],
    ['payer and time', payerTimeId, payerTime, payerTime],
  ])('%s takes %3$s', (_name, form, text, canonical) => {
    expect(form(text)).toEqual({ ok: true, canonical })
  })

  it.each([
    ['prefixed hex', prefixedHexId, hex],
    ['prefixed hex', prefixedHexId, '0x12'],
    ['bare hex', bareHexId, 'zz'.repeat(32)],
    ['short hex', shortHexId, hex.slice(0, 30)],
    ['a signature', base58SignatureId, `0x${hex}`],
    ['payer and time', payerTimeId, hex],
  ])('%s refuses %3$s', (_name, form, text) => {
    expect(form(text)).toEqual({ ok: false, form: expect.any(String) })
  })
})
