import { describe, expect, it } from 'vitest'
import { checkTransactionId } from './transactionIdForm.js'

const hex = 'aB'.repeat(32)
const signature = '5'.repeat(88)

describe('forms of transaction ids (chains.md, Identity)', () => {
  it.each([
    ['evm', `0x${hex}`, `0x${hex.toLowerCase()}`],
    ['bvm', hex, hex.toLowerCase()],
    ['tvm', `0x${hex}`, hex.toLowerCase()],
    ['tonvm', hex, hex.toLowerCase()],
    ['xrpvm', hex, hex.toUpperCase()],
    ['svm', signature, signature],
    ['hederavm', '0.0.1234@1700000000.000000001', '0.0.1234@1700000000.000000001'],
    ['newvm', 'anything-at-all', 'anything-at-all'],
  ])('%s takes %s', (vmType, text, id) => {
    expect(checkTransactionId(vmType, text)).toEqual({ ok: true, id })
  })

  it.each([
    ['evm', hex],
    ['evm', '0x12'],
    ['bvm', 'zz'.repeat(32)],
    ['svm', `0x${hex}`],
    ['hederavm', hex],
    ['newvm', 'with space'],
  ])('%s refuses %s', (vmType, text) => {
    expect(checkTransactionId(vmType, text).ok).toBe(false)
  })
})
