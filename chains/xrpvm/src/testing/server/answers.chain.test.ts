import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Wallet } from 'xrpl'
import { startTestedServer, type TestedServer } from '../testedServer.test.support.js'

let tested: TestedServer
let alice: Wallet
let bob: Wallet

beforeAll(async () => {
  tested = await startTestedServer()
  ;[alice, bob] = [await tested.funded(), await tested.funded()]
})
afterAll(() => tested?.close())

const pay = (Amount = '1000000') =>
  tested.include(alice, {
    ...{ TransactionType: 'Payment', Account: alice.classicAddress, Destination: bob.classicAddress, Amount },
  })

describe('the interface', () => {
  it('shows a transaction under tx_json, without Amount', async () => {
    const { hash } = await pay()
    const found = await tested.post('tx', { transaction: hash })
    expect(found.tx_json).toMatchObject({ DeliverMax: '1000000', ledger_index: found.ledger_index })
    expect(found.tx_json.Amount).toBeUndefined()
    const { result } = await tested.client.request({ command: 'ledger', ledger_index: found.ledger_index })
    expect(found).toMatchObject({
      hash,
      ledger_hash: result.ledger_hash,
      close_time_iso: result.ledger.close_time_iso,
    })
  })

  it('shows histories and ledgers the same way', async () => {
    const { hash, ledger_index = 0 } = await pay()
    const history = await tested.post('account_tx', { account: bob.classicAddress, limit: 1 })
    expect(history.transactions[0]).toMatchObject({ hash, ledger_index, tx_json: { DeliverMax: '1000000' } })
    const { ledger } = await tested.post('ledger', { ledger_index, transactions: true, expand: true })
    expect(ledger).toMatchObject({ ledger_index, transactions: [{ hash, meta: { TransactionIndex: 0 } }] })
    expect(ledger.transactions[0].meta.delivered_amount).toBe('1000000')
  })

  it('has one version', async () => {
    expect(await tested.post('ping', { api_version: 1 })).toMatchObject({ error: 'invalid_API_version' })
  })
})

describe('errors', () => {
  it.each([
    ['account_info', { account: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe' }, 'actNotFound'],
    ['account_info', { account: 'nobody' }, 'actMalformed'],
    ['account_info', {}, 'invalidParams'],
    ['ledger', { ledger_index: 9_999_999 }, 'lgrNotFound'],
    ['tx', { transaction: 'AB'.repeat(32) }, 'txnNotFound'],
    ['tx', { transaction: 'AB'.repeat(32), min_ledger: 5, max_ledger: 1 }, 'invalidLgrRange'],
    ['tx', { transaction: 'AB'.repeat(32), min_ledger: 1, max_ledger: 1002 }, 'excessiveLgrRange'],
    ['submit', { tx_blob: 'no' }, 'invalidParams'],
    ['submit', { tx_json: {}, secret: 's' }, 'invalidParams'],
    ['gateway_balances', {}, 'unknownCmd'],
  ])('%s with %o answers %s with status 200', async (method, params, error) => {
    expect(await tested.post(method, params)).toMatchObject({ status: 'error', error, request: params })
  })

  it('come over the websocket with the request and its id', async () => {
    await expect(tested.client.request({ command: 'ledger', ledger_index: 9_999_999 })).rejects.toMatchObject({
      data: { error: 'lgrNotFound', error_code: 21, status: 'error', type: 'response' },
    })
  })

  it('of faults have rippled’s numbers', async () => {
    const { chain, post } = tested
    await chain.failNext({ method: 'fee', error: { code: 9, message: 'tooBusy' } })
    expect(await post('fee')).toMatchObject({ status: 'error', error: 'tooBusy', error_code: 9 })
    await chain.refuse('fee')
    expect(await post('fee')).toMatchObject({ status: 'error', error: 'unknownCmd', error_code: 32 })
    await chain.refuse('fee', false)
  })
})

describe('pages', () => {
  it('of a history come in either order, each where the last one ended', async () => {
    for (let made = 0; made < 3; made++) await pay(`${made + 1}`)
    const all = async (forward: boolean) => {
      const asked = { account: bob.classicAddress, forward }
      const hashes: string[] = []
      for (let marker: unknown; ; ) {
        const page = await tested.post('account_tx', {
          ...asked,
          limit: 2,
          ...(marker === undefined ? {} : { marker }),
        })
        hashes.push(...page.transactions.map(({ hash }: { hash: string }) => hash))
        marker = page.marker
        if (marker === undefined) break
      }
      const whole = await tested.post('account_tx', asked)
      expect(hashes).toEqual(whole.transactions.map(({ hash }: { hash: string }) => hash))
      return hashes
    }
    expect(await all(true)).toEqual((await all(false)).toReversed())
  })

  it('of objects do so too', async () => {
    await tested.chain.apply({ TransactionType: 'TicketCreate', Account: bob.classicAddress, TicketCount: 25 })
    const asked = { account: bob.classicAddress, type: 'ticket', limit: 10 }
    const seen = new Set<number>()
    for (let marker: unknown; ; ) {
      const page = await tested.post('account_objects', { ...asked, ...(marker === undefined ? {} : { marker }) })
      for (const { TicketSequence } of page.account_objects) seen.add(TicketSequence)
      marker = page.marker
      if (marker === undefined) break
    }
    expect(seen.size).toBe(25)
    const { account_data } = await tested.post('account_info', { account: bob.classicAddress })
    expect(account_data).toMatchObject({ OwnerCount: 25, TicketCount: 25 })
  })
})
