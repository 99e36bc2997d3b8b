import type { JsonRpcEndpoint, RpcCall, RpcOutcome } from '@causeway/core/chain-kit'
import { describe, expect, it } from 'vitest'
import { DepositSource } from './depositSource.js'

const ALICE = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'
const DEPOSITORY = 'rJBdWA9p5KwBoqSQTyMdg3UHLsJVzGVu5m'
const HASH = 'AB'.repeat(32)

type Answers = Readonly<Record<string, unknown>>

/** A node that answers each method with one thing; a text is the word of an error. */
const nodeOf = (answers: Answers): JsonRpcEndpoint => {
  const node = {
    batch: async (calls: readonly RpcCall[]) =>
      calls.map(({ method }): RpcOutcome => {
        const answer = answers[method]
        return typeof answer === 'string'
          ? { ok: false, error: { code: 1, message: answer } }
          : { ok: true, result: answer }
      }),
  }
  // CAST: nothing else of it is asked.
  return node as unknown as JsonRpcEndpoint
}

const info = (complete: string, seq = 100) => ({
  info: {
    complete_ledgers: complete,
    validated_ledger: {
      seq,
      hash: 'EF'.repeat(32),
      base_fee_xrp: 0.00001,
      reserve_base_xrp: 1,
      reserve_inc_xrp: 0.2,
    },
  },
})

const entry = {
  validated: true,
  hash: HASH,
  ledger_index: 50,
  ledger_hash: 'CD'.repeat(32),
  close_time_iso: '2025-06-01T12:00:10Z',
  tx_json: { TransactionType: 'Payment', Account: ALICE, Destination: DEPOSITORY, Fee: '12', Sequence: 7 },
  meta: { TransactionResult: 'tesSUCCESS', delivered_amount: '5', AffectedNodes: [] },
}

const page = (fields: object = {}) => ({
  account: DEPOSITORY,
  ledger_index_min: 11,
  ledger_index_max: 100,
  transactions: [entry],
  ...fields,
})

const source = new DepositSource({ depository: DEPOSITORY, startLedger: null })
const request = { account: DEPOSITORY, after: 10n, upTo: 100n, mark: null }

describe('a page', () => {
  it('is whole where the node has all ledgers of it, and goes on by its mark where it is not all', async () => {
    const whole = await source.page(nodeOf({ account_tx: page(), server_info: info('5-100') }), request)
    expect(whole).toMatchObject({ more: null, since: 11n })
    expect(whole.transactions).toHaveLength(1)
    const marker = { ledger: 50, seq: 3 }
    const part = await source.page(nodeOf({ account_tx: page({ marker }), server_info: info('5-100') }), request)
    expect(part.more).toEqual(marker)
  })

  it('says from where on the node has all, by what it looked through and by what it has', async () => {
    const since = async (answers: Answers) => (await source.page(nodeOf(answers), request)).since
    expect(await since({ account_tx: page(), server_info: info('5-39,41-100') })).toBe(41n)
    expect(await since({ account_tx: page({ ledger_index_min: 60 }), server_info: info('5-100') })).toBe(60n)
    expect(await since({ account_tx: 'lgrIdxMalformed', server_info: info('70-100') })).toBe(70n)
  })

  it('takes the newest ledger for whole that is not listed yet', async () => {
    const { since } = await source.page(nodeOf({ account_tx: page(), server_info: info('5-99') }), request)
    expect(since).toBe(11n)
  })

  it.each([
    ['looked through less', { account_tx: page({ ledger_index_max: 99 }), server_info: info('5-100') }],
    ['has nothing', { account_tx: page(), server_info: info('empty') }],
    ['contradicts itself', { account_tx: 'lgrIdxMalformed', server_info: info('5-100') }],
    ['shows what is no transaction', { account_tx: page({ transactions: [{}] }), server_info: info('5-100') }],
    ['writes text for numbers', { account_tx: page({ ledger_index_min: '11' }), server_info: info('5-100') }],
    ['fails', { account_tx: 'internal', server_info: info('5-100') }],
  ])('of a node that %s is no answer', async (_, answers) => {
    await expect(source.page(nodeOf(answers), request)).rejects.toThrow(/node of this chain/)
  })
})

describe('a transaction that a node does not show', () => {
  const found = async (complete: string, tx: object = {}, from = source) =>
    (await from.transactions(nodeOf({ tx: 'txnNotFound', server_info: info(complete) }), [{ id: HASH, ...tx }])).at(0)

  it('is in none of its ledgers where it has the one that must hold it, else it is forgotten', async () => {
    const tx = { locator: { ledger: '50' } }
    expect(await found('40-100', tx)).toBeNull()
    expect(await found('60-100', tx)).toBe('forgotten')
    expect(await found('40-49,51-100', tx)).toBe('forgotten')
  })

  it('and of which nobody knows the ledger is forgotten, but by a node that has all of them', async () => {
    expect(await found('32570-100000')).toBe('forgotten')
    expect(await found('5-100')).toBeNull()
    expect(await found('5-49,51-100')).toBe('forgotten')
    const later = new DepositSource({ depository: DEPOSITORY, startLedger: 60 })
    expect(await found('60-100', {}, later)).toBeNull()
    expect(await found('61-100', {}, later)).toBe('forgotten')
  })
})
