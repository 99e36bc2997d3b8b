import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { errorCatalog } from './errorCatalog.js'

/** Status and marks of each code as the contract tells them, by code. */
const told = (): ReadonlyMap<string, string> => {
  const text = readFileSync(new URL('../../docs/wire.md', import.meta.url), 'utf8')
  const section = text.slice(text.indexOf('### C.1 '), text.indexOf('### C.2 '))
  const rows = [...section.matchAll(/^\| ([A-Z][A-Z0-9_, ]+) \| ([^|]+) \|/gm)]
  return new Map(rows.flatMap(([, codes = '', mark = '']) => codes.split(', ').map((code) => [code, mark] as const)))
}

describe('the catalogue of codes (wire.md C.1)', () => {
  it('the contract tells the status of each code, what may be repeated soon (R) and what is of a moment (M)', () => {
    const marks = Object.entries(errorCatalog).map(([code, { status, retryable, passing }]) => [
      code,
      `${status}${retryable ? ' R' : ''}${passing ? ' M' : ''}`,
    ])
    expect(Object.fromEntries(told())).toEqual(Object.fromEntries(marks))
  })

  it('what may be repeated soon, and what is a fault of the service, is of a moment', () => {
    const lasting = Object.entries(errorCatalog).filter(
      ([, { status, retryable, passing }]) => (retryable || status >= 500) && !passing,
    )
    expect(lasting).toEqual([])
  })
})
