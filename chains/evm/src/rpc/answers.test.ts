import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readAnswer, readMethods } from './answers.js'
import { blockAnswer, checkReaders, receiptAnswer, samples, transactionAnswer } from './answersFuzz.test.support.js'

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
