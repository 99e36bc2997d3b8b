import { readFileSync } from 'node:fs'
import { UnreadableQuoteError } from '@causeway/core/verify'
import { describe, expect, test } from 'vitest'
import { readPsbt } from './psbt.js'

type Vector = readonly [description: string, psbt: string]

const { invalid, valid } = JSON.parse(
  readFileSync(new URL('./fixtures/bip174.json', import.meta.url), 'utf8'),
) as Readonly<Record<'invalid' | 'valid', readonly Vector[]>>

describe('the vectors of BIP-174', () => {
  test('are all there', () => {
    expect([invalid.length, valid.length]).toEqual([20, 14])
  })

  test.each(invalid)('refused: %s', (_, psbt) => {
    expect(() => readPsbt(psbt)).toThrow(UnreadableQuoteError)
  })

  // A deposit spends something.
  const spending = valid.filter(([description]) => !/0 inputs/.test(description))

  test.each(spending)('read: %s', (_, psbt) => {
    expect(readPsbt(psbt).outputs.length).toBeGreaterThan(0)
  })

  test('a PSBT is read to its end', () => {
    const [[, psbt = ''] = []] = spending
    expect(() => readPsbt(`${psbt}00`)).toThrow(UnreadableQuoteError)
    expect(() => readPsbt(psbt.slice(0, -2))).toThrow(UnreadableQuoteError)
  })
})
