import { expect, test } from 'vitest'
import { readAnswer, readMethods } from './answers.js'
import { checkReaders, samples, transactionAnswer } from './answersFuzz.test.support.js'
import { isChainAnswer } from './rpcErrors.js'

test('every answer as nodes give it is read, and a method without a reader is a mistake of this package', () => {
  for (const method of readMethods)
    for (const { answer, params = [], use } of samples[method] ?? []) use?.(readAnswer(answer, { method, params }))
  expect(readMethods.filter((method) => samples[method] === undefined)).toEqual([])
  expect(() => readAnswer(1, { method: 'getUnknown', params: [] })).toThrow(/no reader/)
})

test('F161: truncated, null, wrong, huge and more: what is no answer is the failure of its node, never another error', () => {
  checkReaders(600)
})

test('F161: a node that leaves out what a transaction did, or an account that was asked for, has not answered', () => {
  const { meta } = transactionAnswer
  const call = { method: 'getTransaction', params: [] }
  for (const part of ['err', 'preTokenBalances', 'postTokenBalances'] as const) {
    const { [part]: _, ...rest } = meta
    expect(() => readAnswer({ ...transactionAnswer, meta: rest }, call)).toThrow(/could not be reached/)
  }
  for (const none of [null, undefined])
    expect(() => readAnswer({ ...transactionAnswer, meta: none }, call)).toThrow(/could not be reached/)
  const accounts = { method: 'getMultipleAccounts', params: [['a', 'b']] }
  expect(() => readAnswer({ context: { slot: 1 }, value: [null] }, accounts)).toThrow(/could not be reached/)
})

const ASKED = { method: 'getBlock', params: [] }

test.each([
  [-32004, 'Block not available for slot 9'],
  [-32007, 'Slot 9 was skipped, or missing due to ledger jump to recent snapshot'],
  [-32001, 'Block 9 cleaned up, does not exist on node. First available block: 12'],
  [-32015, 'Transaction version (1) is not supported by the requesting client'],
  [-32602, 'Invalid param: could not find account'],
])('%i "%s" is an answer', (code, message) => {
  expect(isChainAnswer({ code, message }, ASKED)).toBe(true)
})

test.each([
  [-32005, 'Node is behind by 42 slots'],
  [-32016, 'Minimum context slot has not been reached'],
  [-32601, 'Method not found'],
  [-32603, 'Internal error'],
  [-32600, 'Batch requests are not allowed'],
  [429, 'Too many requests for a specific RPC call'],
  [-32003, 'daily request limit reached - upgrade your account'],
  [-32007, '50/second request limit reached - reduce calls per second'],
  [-32000, 'something nobody has heard of'],
])('F162: %i "%s" is the refusal of a node', (code, message) => {
  expect(isChainAnswer({ code, message }, ASKED)).toBe(false)
})

test.each<[string, readonly unknown[], unknown]>([
  ['getTransaction', ['4'.repeat(88)], transactionAnswer],
  ['getBlocksWithLimit', [5, 3], [4, 5]],
  ['getBlocksWithLimit', [5, 3], [5, 7, 6]],
  ['getBlocksWithLimit', [5, 3], [5, 6, 7, 8]],
  [
    'getSignaturesForAddress',
    ['a', { limit: 1 }],
    [
      { signature: '5', slot: 9, err: null },
      { signature: '4', slot: 8, err: null },
    ],
  ],
  [
    'getSignaturesForAddress',
    ['a', { limit: 9 }],
    [
      { signature: '5', slot: 8, err: null },
      { signature: '4', slot: 9, err: null },
    ],
  ],
])('F161: %s of %j that answers with another thing is no answer', (method, params, answer) => {
  expect(() => readAnswer(answer, { method, params })).toThrow(/could not be reached/)
})
