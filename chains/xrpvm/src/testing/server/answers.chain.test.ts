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

const v2 = { api_version: 2 }
const pay = (Amount = '1000000') =>
  tested.include(alice, {
    ...{ TransactionType: 'Payment', Account: alice.classicAddress, Destination: bob.classicAddress, Amount },
  })

describe('both versions of the interface', () => {
  it('show a transaction flat, or under tx_json without Amount', async () => {
    const { hash } = await pay()
    const [first, second] = [
      await tested.post('tx', { transaction: hash }),
      await tested.post('tx', { transaction: hash, ...v2 }),
    ]
    expect(first).toMatchObject({ status: 'success', Amount: '1000000', DeliverMax: '1000000', hash, validated: true })
    expect(first.inLedger).toBe(first.ledger_index)
    expect(second.tx_json).toMatchObject({ DeliverMax: '1000000', date: first.date, ledger_index: first.ledger_index })
    expect(second.tx_json.Amount).toBeUndefined()
    const { result } = await tested.client.request({ command: 'ledger', ledger_index: first.ledger_index })
    expect(second).toMatchObject({
      hash,
      ledger_hash: result.ledger_hash,
      close_time_iso: result.ledger.close_time_iso,
    })
  })

  it('show histories and ledgers the same way', async () => {
    const { hash, ledger_index = 0 } = await pay()
    const asked = { account: bob.classicAddress, limit: 1 }
    const [first, second] = [
      await tested.post('account_tx', asked),
      await tested.post('account_tx', { ...asked, ...v2 }),
    ]
    expect(first.transactions[0]).toMatchObject({ tx: { hash, Amount: '1000000', ledger_index }, validated: true })
    expect(second.transactions[0]).toMatchObject({ hash, ledger_index, tx_json: { DeliverMax: '1000000' } })
    const expanded = { ledger_index, transactions: true, expand: true }
    const [old, young] = [await tested.post('ledger', expanded), await tested.post('ledger', { ...expanded, ...v2 })]
    expect(old.ledger).toMatchObject({ ledger_index: `${ledger_index}`, transactions: [{ hash }] })
    expect(old.ledger.transactions[0].metaData.delivered_amount).toBe('1000000')
    expect(young.ledger).toMatchObject({ ledger_index, transactions: [{ hash, meta: { TransactionIndex: 0 } }] })
  })

  it('refuse another one', async () => {
    expect(await tested.post('ping', { api_version: 3 })).toMatchObject({ error: 'invalid_API_version' })
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

  it('are those that tests ask for', async () => {
    const { chain, post } = tested
    await chain.failNext({ method: 'fee', error: { code: 9, message: 'tooBusy' } })
    expect(await post('ping')).toMatchObject({ status: 'success' })
    expect(await post('fee')).toMatchObject({ status: 'error', error: 'tooBusy', error_code: 9 })
    await chain.failNext({ status: 503, times: 2 })
    for (const _ of [1, 2]) await expect(post('fee')).rejects.toThrow()
    expect(await post('fee')).toMatchObject({ status: 'success' })
    await chain.failNext({ method: 'submit', status: 502, afterAccepting: true })
    const { tx_blob, hash } = alice.sign(
      await tested.client.autofill({
        ...{ TransactionType: 'Payment', Account: alice.classicAddress, Destination: bob.classicAddress, Amount: '1' },
      }),
    )
    await expect(post('submit', { tx_blob })).rejects.toThrow()
    expect(await post('tx', { transaction: hash })).toMatchObject({ validated: false, hash })
    await chain.advance()
    expect(await post('tx', { transaction: hash })).toMatchObject({ validated: true, hash })
    expect((await chain.counts()).submit).toBeGreaterThan(0)
  })
})

describe('pages', () => {
  it('of a history come in either order, each where the last one ended', async () => {
    for (let made = 0; made < 3; made++) await pay(`${made + 1}`)
    const all = async (forward: boolean) => {
      const asked = { account: bob.classicAddress, forward, ...v2 }
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
    const { account_data, account_flags } = await tested.post('account_info', { account: bob.classicAddress })
    expect(account_data).toMatchObject({ OwnerCount: 25, TicketCount: 25 })
    expect(account_flags).toMatchObject({ requireDestinationTag: false, depositAuth: false })
  })
})
