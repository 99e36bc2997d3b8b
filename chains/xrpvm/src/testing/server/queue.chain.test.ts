import { afterEach, beforeEach, expect, it } from 'vitest'
import type { SubmittableTransaction, Wallet } from 'xrpl'
import { startTestedServer, type TestedServer } from '../testedServer.test.support.js'

let tested: TestedServer
let alice: Wallet
let bob: Wallet

beforeEach(async () => {
  tested = await startTestedServer()
  ;[alice, bob] = [await tested.funded(), await tested.funded()]
})
afterEach(() => tested?.close())

const payment = (): SubmittableTransaction => ({
  ...{ TransactionType: 'Payment', Account: alice.classicAddress, Destination: bob.classicAddress, Amount: '1' },
})
const signed = async (more: Partial<SubmittableTransaction> = {}) => {
  // CAST: the same type with other fields.
  const filled = await tested.client.autofill({ ...payment(), ...more } as SubmittableTransaction)
  return alice.sign(filled)
}

it('fees rise with the load, and a client pays them', async () => {
  const { chain, post } = tested
  await chain.setFee({ load: 10, openLedgerFee: 200n, medianFee: 6000n })
  const { drops } = await post('fee')
  expect(drops).toEqual({ base_fee: '10', median_fee: '6000', minimum_fee: '100', open_ledger_fee: '200' })
  const { tx_blob } = await signed({ Fee: '200' })
  expect(await post('submit', { tx_blob })).toMatchObject({ engine_result: 'tesSUCCESS', open_ledger_cost: '200' })
})

it('a transaction waits in the queue until the fee falls', async () => {
  const { chain, post } = tested
  await chain.setFee({ openLedgerFee: 5000n })
  const { tx_blob, hash } = await signed()
  const answer = await post('submit', { tx_blob })
  expect(answer).toMatchObject({ engine_result: 'terQUEUED', engine_result_code: -89, queued: true, kept: true })
  const { account_data } = await post('account_info', { account: alice.classicAddress })
  expect(answer.account_sequence_available).toBe(account_data.Sequence + 1)
  expect(await post('tx', { transaction: hash })).toMatchObject({ validated: false })
  await chain.setFee({ openLedgerFee: 0n })
  await chain.advance(2)
  expect(await post('tx', { transaction: hash })).toMatchObject({ validated: true })
})

it('a full ledger queues everything for the next one', async () => {
  const { chain, post } = tested
  await chain.setFee({ queueAll: true })
  const { tx_blob, hash } = await signed()
  expect(await post('submit', { tx_blob })).toMatchObject({ engine_result: 'terQUEUED' })
  await chain.advance(2)
  expect(await post('tx', { transaction: hash })).toMatchObject({ validated: true })
})

it('what is proposed is told before it is in a ledger', async () => {
  const { client } = tested
  const heard: unknown[] = []
  client.on('transaction', ({ validated, status }) => heard.push([status, validated]))
  await client.request({ command: 'subscribe', accounts_proposed: [bob.classicAddress] })
  await client.submit((await signed()).tx_blob)
  await client.request({ command: 'ping' })
  expect(heard).toEqual([['proposed', false]])
  await tested.chain.advance()
  await client.request({ command: 'ping' })
  expect(heard).toEqual([
    ['proposed', false],
    ['closed', true],
  ])
})
