import { readFileSync } from 'node:fs'
import type { JsonRpcError } from '@causeway/core/chain-kit'
import { describe, expect, it } from 'vitest'
import { classifyBroadcastError } from '../lane/broadcastErrors.js'
import { isAddressWanted, isChainAnswer, isInsufficientFunds, isRangeError, isRevert } from './rpcErrors.js'

type Refusal = readonly [code: number, message: string, who: string]

/** Texts of public nodes and providers; each list names its source. */
const data = JSON.parse(readFileSync(new URL('./fixtures/errorTexts.json', import.meta.url), 'utf8')) as {
  readonly getLogsRefusals: readonly Refusal[]
  readonly busyNodes: readonly Refusal[]
  readonly broadcast: readonly (readonly [string, string])[]
}

const LOGS = { method: 'eth_getLogs', params: [{}] }
const CALLS = ['eth_call', 'eth_getBalance', 'eth_getBlockByNumber', 'eth_estimateGas']

const NO_RANGE = /^(no backend is|Please specify an address|block range extends beyond)/

describe('an error of eth_getLogs', () => {
  it.each(data.getLogsRefusals.filter(([, message]) => !NO_RANGE.test(message)))(
    'F107: %i "%s" (%s) asks for a smaller range',
    (code, message) => {
      expect(isRangeError({ code, message })).toBe(true)
      expect(isChainAnswer({ code, message }, LOGS)).toBe(true)
    },
  )

  it.each(data.getLogsRefusals.filter(([, message]) => NO_RANGE.test(message)))(
    'F162: %i "%s" (%s) leaves the question to another node',
    (code, message) => {
      expect(isRangeError({ code, message })).toBe(false)
      expect(isChainAnswer({ code, message }, LOGS)).toBe(false)
    },
  )

  it('F165: that wants an address is told from one about the range', () => {
    const wanted = data.getLogsRefusals.filter(([code, message]) => isAddressWanted({ code, message }))
    expect(wanted.map(([, , who]) => who)).toEqual(['publicnode'])
    for (const message of [
      'missing address in filter',
      'eth_getLogs: address is required',
      'queries without an address are not served',
    ])
      expect(isAddressWanted({ code: -32602, message }), message).toBe(true)
  })

  it('finds the range where only the details name it', () => {
    const details = { payload: 'range 9009594 is bigger than range limit 2000' }
    expect(isRangeError({ code: -32000, message: 'invalid', data: details })).toBe(true)
  })
})

it.each(data.busyNodes)('F162: %i "%s" (%s) is the refusal of a node, whatever it is asked', (code, message) => {
  for (const method of [...CALLS, 'eth_getLogs', 'eth_sendRawTransaction'])
    expect(isChainAnswer({ code, message }, { method, params: [{}] }), method).toBe(false)
})

it.each([
  [3, 'execution reverted: rate limit of the pool'],
  [-32000, 'execution reverted'],
  [-32603, "VM Exception while processing transaction: reverted with reason string 'no'"],
  [-32000, 'gas required exceeds allowance (0)'],
  [-32000, 'insufficient funds for gas * price + value: address 0x00 have 0 want 1'],
  [-32000, 'max fee per gas less than block base fee'],
  [-32602, 'invalid argument 0: hex string of odd length'],
])('%i "%s" is an answer to a call', (code, message) => {
  expect(isChainAnswer({ code, message }, { method: 'eth_call', params: [{}, 'latest'] })).toBe(true)
})

it.each([
  [-32601, 'the method eth_call does not exist/is not available'],
  [-32005, 'limit exceeded'],
  [-32600, 'batch requests are not allowed'],
  [-32000, 'header not found'],
  [-32000, 'something nobody has heard of'],
  [-32603, 'Internal error'],
  [1015, 'You are being rate limited'],
])('F162: %i "%s" is none, nor is anything unknown', (code, message) => {
  expect(isChainAnswer({ code, message }, { method: 'eth_call', params: [{}, 'latest'] })).toBe(false)
})

it('a node without the state of long ago has answered about that; about the newest block it has not', () => {
  const error = { code: -32000, message: 'missing trie node 0a (path ) state 0x0a is not available' }
  const call = (at: string) => ({ method: 'eth_getTransactionCount', params: [`0x${'a'.repeat(40)}`, at] })
  expect(isChainAnswer(error, call('0x9'))).toBe(true)
  expect(isChainAnswer(error, call('latest'))).toBe(false)
})

it('a node that lacks a method which not all have has answered; one without quota for it has not', () => {
  const call = { method: 'debug_traceCall', params: [] }
  expect(isChainAnswer({ code: -32601, message: 'the method debug_traceCall does not exist' }, call)).toBe(true)
  expect(isChainAnswer({ code: -32005, message: 'daily request count exceeded' }, call)).toBe(false)
})

it.each([
  [-32003, 'response too large'],
  [-32008, 'Response is too big'],
  [-32000, 'batch response exceeds the limit of 25 MB'],
])('F164: %i "%s" leaves receipts of a block to smaller requests and to other nodes', (code, message) => {
  expect(isChainAnswer({ code, message }, { method: 'eth_getBlockReceipts', params: ['0x9'] })).toBe(false)
})

it.each(data.broadcast)(
  'a broadcast that ends with "%s" goes to the next node unless its meaning is known (%s)',
  (message) => {
    const isKnown = classifyBroadcastError({ code: -32000, message }).outcome !== 'unknown'
    expect(isChainAnswer({ code: -32000, message }, { method: 'eth_sendRawTransaction', params: [] })).toBe(isKnown)
  },
)

describe('what a node says of a call', () => {
  const said = (error: JsonRpcError) => ({ revert: isRevert(error), poor: isInsufficientFunds(error) })

  it.each([
    [{ code: -32015, message: 'VM execution error.', data: 'Reverted 0x08c379a0' }],
    [{ code: -32015, message: 'VM execution error.', data: 'revert' }],
    [{ code: -32015, message: 'Execution failed', data: 'Bad instruction fd' }],
    [{ code: -32000, message: 'Bad instruction' }],
    [{ code: 3, message: 'execution reverted' }],
    [{ code: -32000, message: 'out of gas' }],
  ])('%j is a revert', (error) => {
    expect(said(error)).toEqual({ revert: true, poor: false })
  })

  it.each([
    'Upfront cost exceeds account balance (transaction up-front cost 0x1 exceeds transaction sender account balance 0x0)',
    'InsufficientFunds, Account balance: 0, cumulative cost: 1',
    'insufficient MaxFeePerGas for sender balance',
    'insufficient sender balance',
    'insufficient funds for gas * price + value',
  ])('"%s" is a lack of money', (message) => {
    expect(said({ code: -32000, message })).toEqual({ revert: false, poor: true })
  })

  it.each([
    { code: -32015, message: 'Too many requests' },
    { code: -32603, message: 'internal error' },
    { code: -32601, message: 'the method eth_call does not exist' },
  ])('%j is neither', (error) => {
    expect(said(error)).toEqual({ revert: false, poor: false })
  })
})
