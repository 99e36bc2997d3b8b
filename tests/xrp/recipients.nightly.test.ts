import { describe, expect, it } from 'vitest'
import { waitForQuiet } from '../harness/database/books.js'
import { findWalletDifferences } from '../harness/database/walletDifferences.js'
import { until } from '../harness/until.js'
import { memoTexts } from './ledgerAccount.js'
import {
  bytesOf,
  client,
  fill,
  fromLedger,
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
import { EVM_ID, ISSUED } from './xrpNetwork.js'
import { depositOf } from './xrpWorld.js'

useXrp()

describe('who is paid on the XRP Ledger (chains.md xrpvm 1, 5)', () => {
  it('a recipient with a tag is paid under it, and request, payout and record say so (faults.md F24)', async () => {
    const exchange = await network.newAccount()
    await set(exchange, REQUIRE_DEST)
    for (const tag of [0, 4_294_967_295]) {
      const recipient = `${exchange.address}?tag=${tag}`
      const quote = await fill(toLedger(20n, recipient))
      const { tx_json, meta } = await paidBy(quote)
      expect([tx_json.Destination, tx_json.DestinationTag]).toEqual([exchange.address, tag])
      expect(meta.delivered_amount).toBe(outOf(quote).toString())
      const { rows } = await pool.query<{ asked: string; paid: string }>(
        `select r.recipient as asked, p.recipient as paid from requests r join payouts p on p.request_id = r.id where r.id = $1`,
        [bytesOf(quote.requestId)],
      )
      expect(rows).toEqual([{ asked: recipient, paid: recipient }])
      expect(JSON.stringify(await world.record(quote.requestId))).toContain(recipient)
    }
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

  it('xrpvm 4: of a partial payment what was delivered counts, not what its amount says', async () => {
    const recipient = await client.freshRecipient(EVM_ID)
    const request = { ...fromLedger(0n, 1, { recipient }), symbol: 'ICE', amount: 50n * ISSUED }
    const quote = await client.quote(request)
    const [code, issuer] = [network.ice.code, network.ice.issuer.address]
    const deposit = depositOf(quote)
    const whole = { currency: code, issuer, value: '50' }
    const { Amount: _, DeliverMax: __, ...rest } = deposit
    const sent = await userOf(1).send({
      ...{ ...rest, TransactionType: 'Payment', Amount: whole, Flags: 0x20000 },
      SendMax: { ...whole, value: '4' },
    })
    expect(sent.meta.delivered_amount).toMatchObject({ value: '4' })
    const found = await until('the deposit to be seen', async () => {
      const rows = await depositorOf(idOf(quote))
      return rows.length > 0 ? rows : null
    })
    expect(found.map(({ amount }) => BigInt(amount))).toEqual([4n * ISSUED])
    await waitForQuiet(pool)
    // Less than the order needs never consumes it (faults.md F117): a deposit that pays it is filled.
    await client.pay(quote, request)
    await client.waitFor(quote.requestId, ['success'])
    expect(await client.balance(EVM_ID, recipient, 'ICE')).toBe(outOf(quote))
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
  expect(own.length).toBeGreaterThan(1)
  for (const payment of own) expect(memoTexts(payment)).toHaveLength(1)
})
