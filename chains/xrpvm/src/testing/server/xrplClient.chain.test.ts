import * as codec from 'ripple-binary-codec'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { convertStringToHex, getBalanceChanges, type Payment, type Wallet } from 'xrpl'
import { startTestedServer, type TestedServer, XRP } from '../testedServer.test.support.js'

let tested: TestedServer
let alice: Wallet
let bob: Wallet

beforeAll(async () => {
  tested = await startTestedServer(100)
  ;[alice, bob] = [await tested.funded(), await tested.funded()]
})
afterAll(() => tested?.close())

const payment = (more: Partial<Payment> = {}): Payment => ({
  ...{ TransactionType: 'Payment', Account: alice.classicAddress, Destination: bob.classicAddress, Amount: '25000000' },
  ...more,
})

const memo = { Memo: { MemoType: convertStringToHex('order-id'), MemoData: convertStringToHex('0xabc') } }

describe('an unmodified client', () => {
  it('fills in, signs, submits, and waits until a payment is validated', async () => {
    const { client } = tested
    const filled = await client.autofill(payment({ DestinationTag: 77, Memos: [memo] }))
    expect(filled).toMatchObject({ Fee: '12', NetworkID: 71_009 })
    const { result } = await client.submitAndWait(alice.sign(filled).tx_blob)
    expect(result).toMatchObject({
      ...{ validated: true, meta: { TransactionResult: 'tesSUCCESS', delivered_amount: '25000000' } },
      tx_json: { DeliverMax: '25000000', DestinationTag: 77, Memos: [memo] },
    })
    expect(await client.getXrpBalance(bob.classicAddress)).toBe(1025)
    // CAST: it was asked for as an object.
    const changes = getBalanceChanges(result.meta as never)
    const change = (account: string, value: string) => ({ account, balances: [{ currency: 'XRP', value }] })
    expect(changes).toContainEqual(change(bob.classicAddress, '25'))
    expect(changes).toContainEqual(change(alice.classicAddress, '-25.000012'))
  })

  it('hears of ledgers, and of what concerns an account', async () => {
    const { client } = tested
    const heard = new Promise((resolve) => client.on('transaction', resolve))
    const closed = new Promise((resolve) => client.on('ledgerClosed', resolve))
    const { result } = await client.request({
      ...{ command: 'subscribe', streams: ['ledger'], accounts: [bob.classicAddress] },
    })
    expect(result).toMatchObject({ reserve_base: 1_000_000, reserve_inc: 200_000, network_id: 71_009 })
    const { tx_blob, hash } = alice.sign(await client.autofill(payment({ Memos: [memo] })))
    await client.submit(tx_blob)
    expect(await heard).toMatchObject({
      ...{ type: 'transaction', validated: true, hash, engine_result: 'tesSUCCESS', engine_result_code: 0 },
      ...{ meta: { delivered_amount: '25000000' }, tx_json: { Memos: [memo], Destination: bob.classicAddress } },
    })
    expect(await closed).toMatchObject({ type: 'ledgerClosed', txn_count: expect.any(Number) })
    await client.request({ command: 'unsubscribe', streams: ['ledger'], accounts: [bob.classicAddress] })
    client.removeAllListeners()
  })

  it('is told what a transaction would do, which then has not happened', async () => {
    const { client } = tested
    const before = await client.getXrpBalance(alice.classicAddress)
    const good = await client.simulate(await client.autofill(payment()))
    expect(good.result).toMatchObject({ applied: false, engine_result: 'tesSUCCESS', meta: { TransactionIndex: 0 } })
    const bad = await client.simulate(payment({ Amount: '9000000000000' }))
    expect(bad.result).toMatchObject({ engine_result: 'tecUNFUNDED_PAYMENT', engine_result_code: 104 })
    expect(await client.getXrpBalance(alice.classicAddress)).toBe(before)
    const { tx_blob } = alice.sign(await client.autofill(payment()))
    const signed = await tested.post('simulate', { tx_blob })
    expect(signed).toMatchObject({ status: 'error', error: 'transactionSigned' })
    await tested.chain.refuse('simulate')
    await expect(client.simulate(payment())).rejects.toMatchObject({ data: { error: 'unknownCmd' } })
    await tested.chain.refuse('simulate', false)
  })

  it('is refused what it may not do', async () => {
    const { client } = tested
    const { tx_blob } = alice.sign(await client.autofill(payment()))
    const changed = codec.encode({ ...codec.decode(tx_blob), Amount: '1' })
    await expect(client.submit(changed)).rejects.toMatchObject({
      data: { error: 'invalidTransaction', error_exception: 'fails local checks: Invalid signature.' },
    })
    const foreign = bob.sign(await client.autofill(payment()))
    expect((await client.submit(foreign.tx_blob)).result).toMatchObject({
      ...{ engine_result: 'tefBAD_AUTH', accepted: false, kept: false, queued: false },
    })
    expect((await client.submit(tx_blob)).result).toMatchObject({
      ...{ engine_result: 'tesSUCCESS', accepted: true, applied: true, tx_blob },
    })
  })

  it('trusts, holds and pays issued currencies, and reads them', async () => {
    const { client } = tested
    const issuer = await tested.funded()
    await client.submitAndWait(
      { TransactionType: 'AccountSet', Account: issuer.classicAddress, SetFlag: 8 },
      { wallet: issuer, autofill: true },
    )
    const usd = (value: string) => ({ currency: 'USD', issuer: issuer.classicAddress, value })
    for (const wallet of [alice, bob]) {
      await tested.chain.fund(wallet.classicAddress, 5n * 10n ** 14n, `USD.${issuer.classicAddress}`)
    }
    const { result } = await client.submitAndWait(payment({ Amount: usd('0.25') }), { wallet: alice, autofill: true })
    expect(result.meta).toMatchObject({ delivered_amount: usd('0.25') })
    const held = async (wallet: Wallet) => {
      const balances = await client.getBalances(wallet.classicAddress)
      return balances.find(({ currency }) => currency === 'USD')?.value
    }
    expect([await held(alice), await held(bob)]).toEqual(['0.25', '0.75'])
    const { result: lines } = await client.request({ command: 'account_lines', account: issuer.classicAddress })
    expect(lines.lines.map(({ balance }) => balance).sort()).toEqual(['-0.25', '-0.75'])
  })

  it('opens an account that did not exist, which it was told of', async () => {
    const { client } = tested
    const fresh = 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe'
    const ask = () => client.request({ command: 'account_info', account: fresh })
    await expect(ask()).rejects.toMatchObject({ data: { error: 'actNotFound', error_code: 19 } })
    await client.submitAndWait(payment({ Destination: fresh, Amount: `${XRP}` }), { wallet: alice, autofill: true })
    expect((await ask()).result.account_data).toMatchObject({ Balance: '1000000', OwnerCount: 0 })
  })
})
