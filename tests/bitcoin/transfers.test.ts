import { describe, expect, it } from 'vitest'
import { waitForQuiet } from '../harness/database/books.js'
import { findWalletDifferences } from '../harness/database/walletDifferences.js'
import { until } from '../harness/until.js'
import { BVM_ID, EVM_ID } from './bitcoinNetwork.js'
import { replace } from './bitcoinWorld.js'
import { paymentsOf } from './orderPayments.js'
import { client, network, pool, useBitcoin, world } from './useBitcoin.js'

useBitcoin()

describe('the mempool', () => {
  it('bvm 4: a deposit that is replaced while its request is pending: DOUBLE_SPEND, and no fill', async () => {
    const user = world.user(8)
    const recipient = await client.freshRecipient(EVM_ID)
    const request = { from: BVM_ID, to: EVM_ID, satoshis: 200_000n, recipient, user: 8 } as const
    network.miner.pause()
    const quote = await client.quote(request)
    // A wallet that lets its deposits be replaced.
    const outputs = [{ to: network.vault.addresses.p2wpkh, value: 200_000n }]
    const data = quote.protocol.v2.orderId
    const first = network.bitcoin.build(user, outputs, { data, form: 'p2wpkh' })
    await network.bitcoin.send(first)
    await client.waitFor(quote.requestId, ['pending'])
    await replace(network, first, user)
    const { failReason } = await client.waitFor(quote.requestId, ['failure'])
    expect(failReason).toBe('DOUBLE_SPEND')
    network.miner.resume()
    await waitForQuiet(pool, 60_000)
    expect(await client.balance(EVM_ID, recipient)).toBe(0n)
    // A second deposit of the order given up goes back, and is no fill either.
    await network.bitcoin.pay(user, outputs, { data, form: 'p2wpkh' })
    await until('the late deposit to be refunded', async () => {
      const { rows } = await pool.query<{ status: string }>(
        `select status from requests where order_id = $1 and parent_request_id is not null`,
        [Buffer.from(data.slice(2), 'hex')],
      )
      return rows[0]?.status === 'refund' ? true : null
    })
    expect(await client.balance(EVM_ID, recipient)).toBe(0n)
    expect((await client.status(quote.requestId)).status).toBe('failure')
  })
})

describe('blocks that leave the chain', () => {
  it('a fill whose block leaves is sent again and paid once', async () => {
    const recipient = await client.freshRecipient(BVM_ID)
    const request = { from: EVM_ID, to: BVM_ID, satoshis: 250_000n, recipient } as const
    const quote = await client.quote(request)
    // One block for the fill and none above it: two would make it final.
    network.miner.pause()
    await client.pay(quote, request)
    await client.waitFor(quote.requestId, ['submitted'])
    await network.bitcoin.mine()
    const { txHashes } = await client.waitFor(quote.requestId, ['success'])
    const [paid] = txHashes ?? []
    const { chain } = network.bitcoin.node
    const place = paid === undefined ? undefined : chain.placeOf(paid)
    if (place === undefined) throw new Error('the fill is in no block')
    await network.bitcoin.reorg(chain.height - place.block.height + 1, { drop: 'all' })
    expect(await client.balance(BVM_ID, recipient)).toBe(0n)
    network.miner.resume()
    await until('the fill to be in a block again', async () =>
      (await client.balance(BVM_ID, recipient)) > 0n ? true : null,
    )
    await waitForQuiet(pool, 60_000)
    expect(await client.balance(BVM_ID, recipient)).toBe(BigInt(quote.details.currencyOut.amount))
    expect(paymentsOf(network, quote.protocol.v2.orderId)).toHaveLength(1)
  })
})

it('the books agree with the chains to the unit, every deposit is taken out of the depository', async () => {
  await waitForQuiet(pool, 60_000)
  const { code, output } = await world.command('ledger', 'check')
  expect(output).toContain('rules hold')
  expect(code).toBe(0)
  expect(await findWalletDifferences(pool)).toEqual([])
  expect(await client.balance(BVM_ID, network.vault.addresses.p2wpkh)).toBe(0n)
})
