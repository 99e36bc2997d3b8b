import { describe, expect, it } from 'vitest'
import { LEDGERS, TRANSACTIONS, xrpDialect, xrpSocketDialect } from './xrpDialect.js'
import { isChainAnswer } from './xrpProtocol.js'

it('a call is written with its fields and the version of the API (chains.md xrpvm 4)', () => {
  expect(xrpDialect.write({ method: 'tx', params: [{ transaction: 'AB' }] })).toEqual({
    method: 'tx',
    params: [{ transaction: 'AB', api_version: 2 }],
  })
  expect(xrpDialect.write({ method: 'fee', params: [] })).toEqual({ method: 'fee', params: [{ api_version: 2 }] })
})

describe('an answer', () => {
  it('is the result, or the error within it by its name', () => {
    expect(xrpDialect.read({ result: { status: 'success', ledger_index: 7 } })).toEqual({
      ok: true,
      result: { status: 'success', ledger_index: 7 },
    })
    const failed = { status: 'error', error: 'actNotFound', error_code: 19 }
    const error = { code: 19, message: 'actNotFound', data: failed }
    expect(xrpDialect.read({ result: failed })).toEqual({ ok: false, error })
    expect(xrpDialect.read({ result: { error: 'noNetwork' } })).toMatchObject({ ok: false, error: { code: -1 } })
  })

  it.each([null, 'busy', [], {}, { result: null }, { result: 'ok' }])('is not %j', (answer) => {
    expect(() => xrpDialect.read(answer)).toThrow(/could not be reached/)
  })

  it('F162: of a server that refuses lets another one answer, a known answer does not', () => {
    const isRefusal = (message: string, method = 'account_info') =>
      !isChainAnswer({ code: 1, message }, { method, params: [] })
    for (const word of [
      'slowDown',
      'tooBusy',
      'noNetwork',
      'noCurrent',
      'amendmentBlocked',
      'forbidden',
      'unknownCmd',
      '',
    ])
      expect(isRefusal(word)).toBe(true)
    for (const word of ['actNotFound', 'txnNotFound', 'lgrNotFound']) expect(isRefusal(word)).toBe(false)
    expect(isRefusal('unknownCmd', 'simulate')).toBe(false)
  })
})

it('a websocket tells of ledgers and transactions, and which subscription stands', () => {
  const dialect = xrpSocketDialect()
  expect(dialect.write({ method: 'subscribe', params: [{ streams: ['ledger'] }] }, LEDGERS)).toEqual({
    id: 1,
    command: 'subscribe',
    streams: ['ledger'],
    api_version: 2,
  })
  expect(dialect.read({ id: 1, type: 'response', status: 'success', result: {} })).toEqual({ accepted: LEDGERS })
  expect(dialect.read({ id: 1, type: 'response', status: 'error', error: 'slowDown' })).toBeNull()
  const closed = { type: 'ledgerClosed', ledger_index: 7 }
  expect(dialect.read(closed)).toEqual({ topic: LEDGERS, result: closed })
  expect(dialect.read({ type: 'transaction' })).toMatchObject({ topic: TRANSACTIONS })
  expect(dialect.read({ type: 'serverStatus' })).toBeNull()
})
