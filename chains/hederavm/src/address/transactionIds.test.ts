import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkTransactionId, mirrorId, readTransactionId } from './transactionIds.js'

// CAST: what the fixture holds.
const ids = JSON.parse(readFileSync(new URL('fixtures/ids.json', import.meta.url), 'utf8')) as {
  readonly transactionIds: readonly (readonly string[])[]
  readonly mirrorForm: string
}

const canonical = (text: string): string | null => {
  const check = checkTransactionId(text)
  return check.ok ? check.canonical : null
}

describe('a transaction id', () => {
  it('has nine digits of nanoseconds, as the SDK writes them', () => {
    for (const [given = '', text] of ids.transactionIds.filter(([, written]) => written?.startsWith('0.0.')))
      if (given.startsWith('0.0.')) expect(canonical(given)).toBe(text)
    expect(canonical('0.0.3@4.5')).toBe('0.0.3@4.000000005')
    expect(canonical('0.0.3@4.5?scheduled/117')).toBe('0.0.3@4.000000005?scheduled/117')
  })

  it('is the same in the form of mirror nodes', () => {
    expect(canonical(ids.mirrorForm)).toBe('0.0.8@1234567890.000000004')
    const read = readTransactionId('0.0.8@1234567890.000000004')
    expect(read && mirrorId(read)).toBe(ids.mirrorForm)
  })

  it.each(['', '1.2.3@4.5', '3@4.5', '0.0.03@4.5', '0.0.3@4', '0.0.3@4.1234567890', '0x12', '0.0.3@4.5 '])(
    'is not %j',
    (text) => expect(canonical(text)).toBeNull(),
  )
})
