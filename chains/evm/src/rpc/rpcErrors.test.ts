import { readFileSync } from 'node:fs'
import type { JsonRpcError } from '@causeway/core/chain-kit'
import { describe, expect, test } from 'vitest'
import { isInsufficientFunds, isRangeError, isRevert } from './rpcErrors.js'

type Refusal = readonly [code: number, message: string, who: string]

const { getLogsRefusals } = JSON.parse(
  readFileSync(new URL('./fixtures/errorTexts.json', import.meta.url), 'utf8'),
) as { readonly getLogsRefusals: readonly Refusal[] }

/** Refusals of the fixture that no smaller range cures. */
const NO_RANGE = /no backend is currently healthy|specify an address/

describe('F107: refusals of eth_getLogs', () => {
  const ranges = getLogsRefusals.filter(([, message]) => !NO_RANGE.test(message))
  const others = getLogsRefusals.filter(([, message]) => NO_RANGE.test(message))

  test.each(ranges)('%i "%s" of %s is of the range', (code, message, who) => {
    const payload = /data\.payload "(.+)"/.exec(who)?.[1]
    expect(isRangeError({ code, message, ...(payload === undefined ? {} : { data: { payload } }) })).toBe(true)
  })

  test.each(others)('%i "%s" of %s is not', (code, message) => {
    expect(isRangeError({ code, message })).toBe(false)
  })
})

describe('what a node says of a call', () => {
  const said = (error: JsonRpcError) => ({ revert: isRevert(error), poor: isInsufficientFunds(error) })

  test.each([
    [{ code: -32015, message: 'VM execution error.', data: 'Reverted 0x08c379a0' }],
    [{ code: -32015, message: 'VM execution error.', data: 'revert' }],
    [{ code: -32015, message: 'Execution failed', data: 'Bad instruction fd' }],
    [{ code: -32000, message: 'Bad instruction' }],
    [{ code: 3, message: 'execution reverted' }],
    [{ code: -32000, message: 'out of gas' }],
  ])('%j is a revert', (error) => {
    expect(said(error)).toEqual({ revert: true, poor: false })
  })

  test.each([
    'Upfront cost exceeds account balance (transaction up-front cost 0x1 exceeds transaction sender account balance 0x0)',
    'InsufficientFunds, Account balance: 0, cumulative cost: 1',
    'insufficient MaxFeePerGas for sender balance',
    'insufficient sender balance',
    'insufficient funds for gas * price + value',
  ])('"%s" is a lack of money', (message) => {
    expect(said({ code: -32000, message })).toEqual({ revert: false, poor: true })
  })

  test.each([
    { code: -32015, message: 'Too many requests' },
    { code: -32603, message: 'internal error' },
    { code: -32601, message: 'the method eth_call does not exist' },
  ])('%j is neither', (error) => {
    expect(said(error)).toEqual({ revert: false, poor: false })
  })
})
