import { describe, expect, it } from 'vitest'
import { waitForQuiet } from '../harness/database/books.js'
import { findWalletDifferences } from '../harness/database/walletDifferences.js'
import { until } from '../harness/until.js'
import { memoOf, memoTexts } from './ledgerAccount.js'
import {
  bytesOf,
  clear,
  client,
  DEPOSIT_AUTH,
  fill,
  fromLedger,
  GLOBAL_FREEZE,
  idOf,
  network,
  outOf,
  paidBy,
  pool,
  REQUIRE_DEST,
  set,
  toLedger,
  userOf,
  useXrp,
  world,
} from './useXrp.js'
import { DROPS, EVM_ID, ISSUED, XRP_ID } from './xrpNetwork.js'
import { depositOf, paymentsOf } from './xrpWorld.js'

useXrp()

describe('who is paid on the XRP Ledger (chains.md xrpvm 1, 5)', () => {
  it('an X-address is its account and its tag', async () => {
    const exchange = await network.newAccount()
    const quote = await fill(toLedger(20n, exchange.xAddress(77, true)))
    const { tx_json } = await paidBy(quote)
    expect([tx_json.Destination, tx_json.DestinationTag]).toEqual([exchange.address, 77])
    const plain = await fill(toLedger(20n, exchange.xAddress(false, true)))
    expect((await paidBy(plain)).tx_json.DestinationTag).toBeUndefined()
  })

  it('an account that requires a tag is refused without one', async () => {
    const exchange = await network.newAccount()
    await set(exchange, REQUIRE_DEST)
    const { status, message } = await world.refusal(toLedger(20n, exchange.address))
    expect([status, message]).toEqual([400, expect.stringMatching(/tag/i)])
  })

  it('an issued currency is refused to whom has no line of it, and paid to whom trusts it', async () => {
    const [stranger, account] = [await network.newAccount(), await network.newAccount()]
    await account.trust('ICE', network.ice.issuer.address)
    const request = { ...toLedger(0n, account.address), symbol: 'ICE', amount: 30n * 10n ** 18n }
    const { status, message } = await world.refusal({ ...request, recipient: stranger.address })
    expect([status, message]).toEqual([400, expect.stringMatching(/trust/i)])
    const quote = await fill(request)
    expect(await client.balance(XRP_ID, account.address, 'ICE')).toBe(outOf(quote))
  })

  it('an account that asks before it is paid is refused (tecNO_PERMISSION)', async () => {
    const shy = await network.newAccount()
    await set(shy, DEPOSIT_AUTH)
    const { status, message } = await world.refusal(toLedger(20n, shy.address))
    expect([status, message]).toEqual([400, expect.stringMatching(/only of accounts that it chose/)])
  })

  it('an account that does not exist is opened by the payment, and less than its reserve is refused with the least', async () => {
    const account = await network.newAccount(0n)
    const { status, message } = await world.refusal(toLedger(1n, account.address, { amount: (DROPS * 9n) / 10n }))
    expect([status, message]).toEqual([400, expect.stringMatching(/1\.0 XRP/)])
    const quote = await fill(toLedger(5n, account.address))
    expect(await client.balance(XRP_ID, account.address, 'XRP')).toBe(outOf(quote))
  })
})

describe('issued currencies (chains.md xrpvm 5, 10)', () => {
  it('a deposit brings what was quoted, its user pays the issuer on top, and its withdrawal takes no more than it brought', async () => {
    const recipient = await client.freshRecipient(EVM_ID)
    const request = { ...fromLedger(0n, 3, { recipient }), symbol: 'GLD', amount: 2_123_456_789_012_340n }
    const had = await client.balance(XRP_ID, userOf(3).address, 'GLD')
    const quote = await fill(request)
    expect(await client.balance(EVM_ID, recipient, 'GLD')).toBe(outOf(quote))
    expect(quote.details.currencyIn.amount).toBe(request.amount.toString())
    const spent = had - (await client.balance(XRP_ID, userOf(3).address, 'GLD'))
    const off = spent - (request.amount * 101n) / 100n
    expect(off < 0n ? -off : off).toBeLessThan(10n ** 6n)
    await waitForQuiet(pool)
    const { withdrawn } = await paymentsOf(network, idOf(quote))
    expect(withdrawn).toHaveLength(1)
    expect(await client.balance(XRP_ID, network.depository, 'GLD')).toBeLessThan(10n ** 6n)
  })

  it('the refund of such a deposit bears what the issuer takes of its way back', async () => {
    const to = await network.newAccount()
    await to.trust('GLD', network.gold.issuer.address)
    const more = { referrer: 'debug-force-refund', refundTo: to.address }
    const request = { ...fromLedger(0n, 4, { more }), symbol: 'GLD', amount: 2n * ISSUED }
    const quote = await client.quote(request)
    await client.pay(quote, request)
    await client.waitFor(quote.requestId, ['refund'])
    const back = await client.balance(XRP_ID, to.address, 'GLD')
    expect(back).toBeLessThan((request.amount * 99n) / 100n)
    expect(back).toBeGreaterThan((request.amount * 98n) / 100n)
  })

  it('what a quote promises has 15 digits at most, whatever comes in', async () => {
    const account = await network.newAccount()
    await account.trust('ICE', network.ice.issuer.address)
    const quote = await fill({ ...toLedger(0n, account.address), symbol: 'ICE', amount: 33_333_333_333_333_333_333n })
    expect(quote.details.currencyOut.amount.replace(/0+$/, '').length).toBeLessThanOrEqual(15)
    expect(quote.details.currencyOut.minimumAmount.replace(/0+$/, '').length).toBeLessThanOrEqual(15)
    expect(await client.balance(XRP_ID, account.address, 'ICE')).toBe(outOf(quote))
  })

  it('a currency frozen between quote and fill cannot be paid: the deposit goes back', async () => {
    const account = await network.newAccount()
    await account.trust('ICE', network.ice.issuer.address)
    const request = { ...toLedger(0n, account.address), symbol: 'ICE', amount: 30n * 10n ** 18n, user: 2 }
    const quote = await client.quote(request)
    await set(network.ice.issuer, GLOBAL_FREEZE)
    try {
      await client.pay(quote, request)
      await client.waitFor(quote.requestId, ['refund'])
      expect(await client.balance(XRP_ID, account.address, 'ICE')).toBe(0n)
    } finally {
      await clear(network.ice.issuer, GLOBAL_FREEZE)
    }
  })

  it('the fee of an issuer is paid on top, so that the quoted amount arrives, and is charged for', async () => {
    const account = await network.newAccount()
    await account.trust('GLD', network.gold.issuer.address)
    const before = await client.balance(XRP_ID, network.solver.address, 'GLD')
    const quote = await fill({ ...toLedger(0n, account.address), symbol: 'GLD', amount: 2n * 10n ** 18n })
    expect(await client.balance(XRP_ID, account.address, 'GLD')).toBe(outOf(quote))
    const spent = before - (await client.balance(XRP_ID, network.solver.address, 'GLD'))
    // A balance has 16 digits: the ledger rounds what is taken of it.
    const off = spent - (outOf(quote) * 101n) / 100n
    expect(off < 0n ? -off : off).toBeLessThan(10n ** 6n)
    const fees = 2n * ISSUED - outOf(quote)
    expect(fees).toBeGreaterThanOrEqual(spent - outOf(quote))
  })
})

describe('deposits on the XRP Ledger (chains.md xrpvm 3, 4)', () => {
  const depositorOf = async (orderId: string) => {
    const { rows } = await pool.query<{ depositor: string; amount: string; outcome: string | null }>(
      `select depositor, amount::text as amount, outcome from deposits where order_id = $1`,
      [bytesOf(orderId)],
    )
    return rows
  }

  it('of two memos the first that names an order counts, and text around is no order', async () => {
    const [first, second] = [await client.quote(fromLedger(40n, 2)), await client.quote(fromLedger(40n, 2))]
    const Memos = [
      memoOf('for my holidays'),
      memoOf(idOf(first).toUpperCase().replace('0X', '0x')),
      memoOf(idOf(second)),
    ]
    await userOf(2).send({ ...depositOf(first), Memos })
    await client.waitFor(first.requestId, ['success'])
    expect((await client.status(second.requestId)).status).toBe('waiting')
    expect(await depositorOf(idOf(second))).toEqual([])
  })

  it('a deposit under the memo of an order that somebody else has paid goes back to whom it came from', async () => {
    const quote = await fill(fromLedger(40n, 3))
    const before = await client.balance(XRP_ID, userOf(4).address, 'XRP')
    await userOf(4).send(depositOf(quote))
    await until('the second deposit to go back', async () => {
      const { rows } = await pool.query<{ status: string }>(
        `select status from requests where parent_request_id = $1`,
        [bytesOf(quote.requestId)],
      )
      return rows.some(({ status }) => status === 'refund') ? true : null
    })
    // To the refund address of the order: that of its user.
    expect(before - (await client.balance(XRP_ID, userOf(4).address, 'XRP'))).toBeGreaterThanOrEqual(40n * DROPS)
    expect((await client.status(quote.requestId)).status).toBe('success')
  })

  it('a payment without a memo is parked, and the operator is told which', async () => {
    const { hash } = await userOf(4).send({
      TransactionType: 'Payment',
      Destination: network.depository,
      Amount: '3000000',
    })
    await until('the payment to be parked', async () => {
      const { rows } = await pool.query<{ parked_reason: string }>(
        `select parked_reason from deposits where tx_id = $1`,
        [hash],
      )
      return rows[0]?.parked_reason ?? null
    })
    const { output } = await world.command('parked', 'list')
    expect(output).toContain(hash)
  })

  it('a refund goes back under the tag that the deposit came from', async () => {
    const exchange = userOf(0)
    const request = fromLedger(60n, 0, { more: { referrer: 'debug-force-refund', user: `${exchange.address}?tag=5` } })
    const quote = await client.quote(request)
    await exchange.send({ ...depositOf(quote), SourceTag: 5 })
    await client.waitFor(quote.requestId, ['refund'])
    const { tx_json } = await paidBy(quote)
    expect([tx_json.Destination, tx_json.DestinationTag]).toEqual([exchange.address, 5])
    expect(await depositorOf(idOf(quote))).toMatchObject([{ depositor: `${exchange.address}?tag=5` }])
  })
})

it('the books agree with both chains to the unit, and each payment names one order', async () => {
  await waitForQuiet(pool)
  const { code, output } = await world.command('ledger', 'check')
  expect(output).toContain('rules hold')
  expect(code).toBe(0)
  expect(await findWalletDifferences(pool)).toEqual([])
  const own = (await network.node.history(network.solver.address)).filter(
    ({ tx_json: { Account, TransactionType } }) => Account === network.solver.address && TransactionType === 'Payment',
  )
  expect(own.length).toBeGreaterThan(5)
  for (const payment of own) expect(memoTexts(payment)).toHaveLength(1)
})
