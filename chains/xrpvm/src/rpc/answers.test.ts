import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { deliveredOf, readTransaction, statedOf } from '../read/transactions.js'
import { readAccount } from './accountState.js'
import { checkReaders, samples } from './answersFuzz.test.support.js'
import { readServerInfo } from './serverInfo.js'
import { METHODS } from './xrpNode.js'
import { readAnswer } from './xrpProtocol.js'

test('every answer as servers give it is read, and each method has a sample', () => {
  for (const { read, answer } of samples) read(answer)
  const asked = new Set(samples.map(({ method }) => method))
  expect(METHODS.filter(({ method }) => !asked.has(method))).toEqual([])
})

test('F161: truncated, null, wrong, huge and more: what is no answer is the failure of its server, never another error', () => {
  checkReaders(600)
})

/** Answers that XRPLF/xrpl.js recorded; both partial payments bring less than they name. */
const { answers }: { readonly answers: Readonly<Record<string, { readonly result?: unknown }>> } = JSON.parse(
  readFileSync(new URL('./fixtures/serverAnswers.json', import.meta.url), 'utf8'),
)

test('recorded answers of servers are read', () => {
  expect(readServerInfo(answers.serverInfo?.result)).toMatchObject({ networkId: 0, validated: { height: 6_595_042n } })
  expect(readServerInfo(answers.serverInfoNetworkID?.result)).toMatchObject({ networkId: 1 })
  expect(readServerInfo(answers.serverInfoHighLoadFactor?.result).loadFactor).toBeGreaterThan(1000)
  for (const name of ['submit', 'submitTemError']) readAnswer(answers[name]?.result, { method: 'submit', params: [] })
})

test('an account of a ledger that is not validated yet is not believed', () => {
  const account = Object(answers.accountInfo?.result)
  expect(() => readAccount(account)).toThrow(/could not be reached/)
  expect(readAccount({ ...account, validated: true })).toMatchObject({ balance: 922_913_243n })
})

test.each([
  ['partialPaymentXRP', { currency: NATIVE, amount: 1_000_000n }],
  ['partialPaymentIOU', { currency: 'USD.rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B', amount: 9_980_039_920_159_681n }],
])('%s, as recorded, brings what was delivered and not what it names', (name, delivered) => {
  const { tx_json: signed, meta } = Object(answers[name])
  const ledger = { ledger_index: 22_420_537, ledger_hash: signed.hash, close_time_iso: '2016-07-11T16:33:11Z' }
  const transaction = readTransaction({ hash: signed.hash, validated: true, ...ledger, tx_json: signed, meta })
  expect(deliveredOf(transaction)).toEqual(delivered)
  expect(statedOf(transaction)?.amount).toBeGreaterThan(delivered.amount)
})

const OTHER = 'rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B'

test.each([
  ['account_info', { account: OTHER, ledger_index: 'validated' }],
  ['account_tx', { account: OTHER }],
  ['ledger', { ledger_index: 8 }],
  ['tx', { transaction: 'CD'.repeat(32) }],
])('F161: %s that answers with another thing than it was asked for is no answer', (method, fields) => {
  const { answer } = samples.find((sample) => sample.method === method) ?? {}
  expect(() => readAnswer(answer, { method, params: [{}] })).not.toThrow()
  expect(() => readAnswer(answer, { method, params: [fields] })).toThrow(/could not be reached/)
})
