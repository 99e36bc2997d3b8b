import { readFileSync } from 'node:fs'
import type { JsonRpcError } from '@causeway/core/chain-kit'
import { describe, expect, test } from 'vitest'
import { readAnswer, readMethods } from './answers.js'
import { blockAnswer, checkReaders, receiptAnswer, samples, transactionAnswer } from './answersFuzz.test.support.js'
import { isChainAnswer, isRevert, revertDataOf } from './rpcErrors.js'

interface OddAnswer {
  readonly method: string
  readonly params?: readonly unknown[]
  readonly result?: null
  readonly part?: Readonly<Record<string, unknown>>
}

/** Answers of public nodes with null or missing members; each names where it was seen. */
const odd = JSON.parse(readFileSync(new URL('./fixtures/oddAnswers.json', import.meta.url), 'utf8')) as {
  readonly answers: readonly OddAnswer[]
}

const whole: Readonly<Record<string, object>> = {
  eth_getTransactionByHash: transactionAnswer,
  eth_getTransactionReceipt: receiptAnswer,
}

const read = ({ method, params = [], result, part }: OddAnswer) =>
  readAnswer(result === null ? null : { ...whole[method], ...part }, { method, params })

test('F161: odd answers of public nodes are read, or are the failure of the node', () => {
  const [noLogs, noList, noStatus, pending, noFee, root, latest, pendingTransaction] = odd.answers
  expect(odd.answers).toHaveLength(8)
  expect(read(noLogs as OddAnswer)).toEqual([])
  expect(read(noList as OddAnswer)).toMatchObject({ status: '0x1', logs: [] })
  // A transaction with logs succeeded.
  expect(read(noStatus as OddAnswer)).toMatchObject({ status: '0x1' })
  expect(read({ ...(root as OddAnswer), part: { status: null } })).toMatchObject({ status: '0x1' })
  expect(read({ ...(root as OddAnswer), part: { status: null, logs: [] } })).toMatchObject({ status: null, logs: [] })
  expect(read(pending as OddAnswer)).toBeNull()
  expect(read(noFee as OddAnswer)).not.toHaveProperty('l1Fee')
  expect(() => read(latest as OddAnswer)).toThrow(/could not be reached/)
  const zeros = `0x${'0'.repeat(64)}`
  const unmined = { ...(pendingTransaction as OddAnswer), part: { blockHash: zeros, blockNumber: null } }
  expect(read(unmined)).toMatchObject({ blockNumber: null })
})

test('a transaction without a recipient, and a block without a base fee, are what null says', () => {
  const { to: _, ...creation } = transactionAnswer
  expect(readAnswer(creation, { method: 'eth_getTransactionByHash', params: [] })).toMatchObject({ to: null })
  const latest = { method: 'eth_getBlockByNumber', params: ['latest', false] }
  const block = readAnswer({ ...blockAnswer, baseFeePerGas: null }, latest)
  expect(block).not.toHaveProperty('baseFeePerGas')
})

test('every answer as nodes give it is read, and a method without a reader is a mistake of this package', () => {
  for (const method of readMethods)
    for (const { answer, params = [], use } of samples[method] ?? []) use(readAnswer(answer, { method, params }))
  expect(readMethods.filter((method) => samples[method] === undefined)).toEqual([])
  expect(() => readAnswer('0x', { method: 'eth_unknown', params: [] })).toThrow(/no reader/)
})

test('F161: truncated, null, wrong, huge and more: what is no answer is the failure of its node, never another error', () => {
  checkReaders(600)
})

interface RecordedCase {
  readonly case: string
  readonly method: string
  readonly params: readonly unknown[]
  readonly result?: unknown
  readonly error?: JsonRpcError
}

/** Requests and answers that ethereum/execution-apis recorded from geth. */
const { cases }: { readonly cases: readonly RecordedCase[] } = JSON.parse(
  readFileSync(new URL('./fixtures/executionApis.json', import.meta.url), 'utf8'),
)

describe('answers of the execution APIs', () => {
  const results = cases.filter(({ result }) => result !== undefined)
  const errors = cases.filter(({ error }) => error !== undefined)

  test('are all there', () => {
    expect([results.length, errors.length]).toEqual([47, 7])
  })

  test.each(results)('$case is read as it is', ({ method, params, result }) => {
    const read = readAnswer(result, { method, params })
    if (typeof result !== 'object' || result === null || Array.isArray(result)) return expect(read).toEqual(result)
    // A receipt that names its status keeps it; a transaction that makes a contract has no recipient.
    expect(read).toMatchObject(
      Object.fromEntries(
        ['hash', 'number', 'transactionHash', 'blockHash', 'status', 'to'].flatMap((name) =>
          name in result ? [[name, Reflect.get(result, name)]] : [],
        ),
      ),
    )
  })

  test.each(errors)('$case is an answer of the chain, and not of a busy node', ({ method, params, error }) => {
    const isBeyond = /beyond current head/.test(error?.message ?? '')
    expect(isChainAnswer(error as JsonRpcError, { method, params })).toBe(!isBeyond)
    if (method === 'eth_getLogs') return
    expect(isRevert(error as JsonRpcError)).toBe(true)
    expect(revertDataOf(error as JsonRpcError)).toBe(error?.data)
  })
})

const OTHER = `0x${'cd'.repeat(32)}`

test.each<[string, readonly unknown[], unknown]>([
  ['eth_getBlockByNumber', ['0x9', false], { ...blockAnswer, number: '0xa' }],
  ['eth_getBlockByHash', [OTHER, false], blockAnswer],
  ['eth_getTransactionByHash', [OTHER], transactionAnswer],
  ['eth_getTransactionReceipt', [OTHER], receiptAnswer],
  ['eth_getBlockReceipts', ['0xa'], [receiptAnswer]],
  ['eth_getLogs', [{ fromBlock: '0xa', toBlock: '0xb' }], receiptAnswer.logs],
])('F161: %s that answers with another thing than it was asked for is no answer', (method, params, answer) => {
  expect(() => readAnswer(answer, { method, params })).toThrow(/could not be reached/)
})

test('a log range that holds the logs, and a block by its tag, are answers', () => {
  const params = [{ fromBlock: '0x9', toBlock: '0x9' }]
  expect(readAnswer(receiptAnswer.logs, { method: 'eth_getLogs', params })).toHaveLength(3)
  expect(readAnswer(blockAnswer, { method: 'eth_getBlockByNumber', params: ['finalized', false] })).toEqual(blockAnswer)
})
