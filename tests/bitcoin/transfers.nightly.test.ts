import { describe, expect, it } from 'vitest'
import { waitForQuiet } from '../harness/database/books.js'
import { findWalletDifferences } from '../harness/database/walletDifferences.js'
import { until } from '../harness/until.js'
import { BVM_ID, EVM_ID, SVM_ID } from './bitcoinNetwork.js'
import { coinsOf, payAtNode, replace } from './bitcoinWorld.js'
import { paymentsOf } from './orderPayments.js'
import { client, NOBODY, network, pool, ROUTES, SOL, useBitcoin, world } from './useBitcoin.js'

useBitcoin()

describe('a wallet that nobody has connected gets a price, and nothing to execute', () => {
  it.each(ROUTES)('$what', async ({ from, to }) => {
    const real = await client.quote({ from, to, satoshis: 400_000n, recipient: await client.freshRecipient(to) })
    for (const more of [
      { user: NOBODY[from] },
      { recipient: NOBODY[to] },
      { user: NOBODY[from], recipient: NOBODY[to] },
    ]) {
      const request = { from, to, satoshis: 400_000n, recipient: await client.freshRecipient(to), more }
      const { status, body } = await client.ask(request)
      expect([status, body]).toMatchObject([200, { steps: [], details: { currencyOut: expect.anything() } }])
      expect(body).not.toHaveProperty('protocol')
      const [given, quoted] = [body, real].map(({ details }) => Number(details.currencyOut.amount))
      expect(Math.abs((given ?? 0) / (quoted ?? 1) - 1)).toBeLessThan(0.05)
    }
  })
})

describe('the mempool', () => {
  it('F09: two deposits of one order wait together: one is filled, the other goes back, both are on the record', async () => {
    const payer = world.user(3)
    const recipient = await client.freshRecipient(EVM_ID)
    const request = { from: BVM_ID, to: EVM_ID, satoshis: 70_000n, recipient, user: 4 } as const
    network.miner.pause()
    const quote = await client.quote(request)
    const data = quote.protocol.v2.orderId
    const ids = [
      await client.pay(quote, request),
      await network.bitcoin.pay(payer, [{ to: network.vault.addresses.p2wpkh, value: 70_000n }], { data }),
    ]
    await until('both to be seen', async () =>
      (await client.status(quote.requestId)).inTxHashes?.length === 2 ? true : null,
    )
    network.miner.resume()
    const { inTxHashes } = await client.waitFor(quote.requestId, ['success'])
    expect([...(inTxHashes ?? [])].sort()).toEqual([...ids].sort())
    await waitForQuiet(pool, 60_000)
    expect(await client.balance(EVM_ID, recipient)).toBe(BigInt(quote.details.currencyOut.amount))
    const { rows } = await pool.query(
      `select distinct t.status as entry, r.status as request, r.parent_request_id is null as first
       from request_txs t join requests r on r.id = t.request_id where t.direction = 'in' and t.tx_id = any($1) order by 3`,
      [ids],
    )
    expect(rows).toEqual([
      { entry: 'success', request: 'refund', first: false },
      { entry: 'success', request: 'success', first: true },
    ])
  })

  it('bvm 4: a deposit raised in fee by its wallet, in a block before anybody looked: never a failure, and one fill', async () => {
    const user = world.user(9)
    const recipient = await client.freshRecipient(EVM_ID)
    const request = { from: BVM_ID, to: EVM_ID, satoshis: 90_000n, recipient, user: 9 } as const
    network.miner.pause()
    const quote = await client.quote(request)
    const outputs = [{ to: network.vault.addresses.p2wpkh, value: 90_000n }]
    const data = quote.protocol.v2.orderId
    const first = network.bitcoin.build(user, outputs, { data, form: 'p2wpkh' })
    await network.bitcoin.send(first)
    await client.waitFor(quote.requestId, ['pending'])
    // Nobody answers the watcher meanwhile.
    for (const api of ['esplora', 'rpc'] as const)
      await network.bitcoin.failNext({ api, status: 500, times: 1_000_000 })
    try {
      await network.bitcoin.pay(user, outputs, { data, coins: coinsOf(first), fee: 20_000n })
      await network.bitcoin.mine()
    } finally {
      await network.bitcoin.clearFaults()
    }
    network.miner.resume()
    await client.waitFor(quote.requestId, ['success'])
    await waitForQuiet(pool, 60_000)
    expect(await client.balance(EVM_ID, recipient)).toBe(BigInt(quote.details.currencyOut.amount))
    const { rows } = await pool.query<{ status: string }>(
      'select status from request_events where request_id = $1 order by version',
      [Buffer.from(quote.requestId.slice(2), 'hex')],
    )
    expect(rows.map(({ status }) => status)).not.toContain('failure')
  })

  it('K.2: a deposit in the mempool makes its request pending; nothing is paid before a block has it', async () => {
    const request = {
      from: BVM_ID,
      to: EVM_ID,
      satoshis: 200_000n,
      recipient: await client.freshRecipient(EVM_ID),
    } as const
    network.miner.pause()
    const quote = await client.quote(request)
    const id = await client.pay(quote, request)
    const { inTxHashes } = await client.waitFor(quote.requestId, ['pending'])
    expect(inTxHashes).toEqual([id])
    // A deposit that may never come holds nobody else's inventory.
    const { rows } = await pool.query<{ committed: boolean }>('select committed from requests where id = $1', [
      Buffer.from(quote.requestId.slice(2), 'hex'),
    ])
    expect(rows).toEqual([{ committed: false }])
    expect(await client.balance(EVM_ID, request.recipient)).toBe(0n)
    network.miner.resume()
    await client.waitFor(quote.requestId, ['success'])
  })
})

describe('blocks that leave the chain', () => {
  it('bvm 4: a deposit whose block leaves, which waits again and is replaced then: DOUBLE_SPEND, and no fill', async () => {
    const user = world.user(7)
    const recipient = await client.freshRecipient(EVM_ID)
    // So much that it is decided only when both nodes show it.
    const request = { from: BVM_ID, to: EVM_ID, satoshis: 3_000_000n, recipient, user: 7 } as const
    network.miner.pause()
    const quote = await client.quote(request)
    const requestId = Buffer.from(quote.requestId.slice(2), 'hex')
    const outputs = [{ to: network.vault.addresses.p2wpkh, value: 3_000_000n }]
    const first = network.bitcoin.build(user, outputs, { data: quote.protocol.v2.orderId, form: 'p2wpkh' })
    const stands = async (state: string, action: string) => {
      const { rows } = await pool.query<{ state: string; action: string }>(
        `select d.state, r.next_action as action from deposits d join requests r on r.id = d.request_id
         where d.request_id = $1`,
        [requestId],
      )
      return rows[0]?.state === state && rows[0].action === action ? true : null
    }
    const txid = first.getId()
    try {
      await network.bitcoin.send(first)
      await network.bitcoin.hide(txid, { api: 'rpc' })
      await client.waitFor(quote.requestId, ['pending'])
      await network.bitcoin.mine()
      await until('the deposit to be in a block', () => stands('included', 'decide'))
      await network.bitcoin.reorg(1)
      await until('the deposit to wait again', () => stands('reorged', 'await-block'))
      await replace(network, first, user)
    } finally {
      await network.bitcoin.hide(txid, { api: 'rpc', shown: true })
    }
    const { failReason } = await client.waitFor(quote.requestId, ['failure'])
    expect(failReason).toBe('DOUBLE_SPEND')
    network.miner.resume()
    await waitForQuiet(pool, 60_000)
    expect(await client.balance(EVM_ID, recipient)).toBe(0n)
  })
})

describe('nodes that fail', () => {
  it.each(['esplora', 'rpc'] as const)(
    '%s does not answer: the other API serves small amounts both ways',
    async (api) => {
      await network.bitcoin.failNext({ api, status: 500, times: 1_000_000 })
      try {
        for (const [from, to] of [[EVM_ID, BVM_ID] as const, [BVM_ID, EVM_ID] as const]) {
          const request = { from, to, satoshis: 80_000n, recipient: await client.freshRecipient(to), user: 5 }
          const quote = await client.quote(request)
          if (from === EVM_ID) await client.pay(quote, request)
          else await payAtNode(network, quote, world.user(5))
          await client.waitFor(quote.requestId, ['success'])
        }
      } finally {
        await network.bitcoin.clearFaults()
      }
    },
  )

  it('a large deposit waits until both show it', async () => {
    const request = { from: BVM_ID, to: EVM_ID, satoshis: 3_000_000n, user: 6 } as const
    const quote = await client.quote(request)
    await network.bitcoin.failNext({ api: 'rpc', status: 500, times: 1_000_000 })
    try {
      await client.pay(quote, request)
      await client.waitFor(quote.requestId, ['pending'])
      const { chain } = network.bitcoin.node
      const height = chain.height
      await until('five more blocks', async () => (chain.height >= height + 5 ? true : null))
      expect((await client.status(quote.requestId)).status).toBe('pending')
    } finally {
      await network.bitcoin.clearFaults()
    }
    await client.waitFor(quote.requestId, ['success'])
  })
})

describe('deposits as others make them', () => {
  it('out of a batch withdrawal of an exchange', async () => {
    const exchange = network.bitcoinUsers[9]
    if (exchange === undefined) throw new Error('no user')
    const recipient = await client.freshRecipient(EVM_ID)
    const request = { from: BVM_ID, to: EVM_ID, satoshis: 120_000n, recipient, user: 9 } as const
    const quote = await client.quote(request)
    const others = await Promise.all(
      [1n, 2n, 3n].map(async (at) => ({ to: await client.freshRecipient(BVM_ID), value: 10_000n * at })),
    )
    const outputs = [...others, { to: network.vault.addresses.p2wpkh, value: 120_000n }]
    await network.bitcoin.pay(exchange, outputs, { data: quote.protocol.v2.orderId })
    await client.waitFor(quote.requestId, ['success'])
    expect(await client.balance(EVM_ID, recipient)).toBe(BigInt(quote.details.currencyOut.amount))
  })

  it('a user without coins is told so', async () => {
    const request = { from: BVM_ID, to: EVM_ID, satoshis: 9_000_000_000n, user: 7 } as const
    const { status, body } = await client.ask(request)
    expect([status, body]).toEqual([400, expect.objectContaining({ errorCode: 'INSUFFICIENT_FUNDS' })])
  })

  it('from an address that hides its key, which the quote then asks for', async () => {
    const [user] = network.bitcoinUsers
    if (user === undefined) throw new Error('no user')
    const from = user.addresses['p2sh-p2wpkh']
    await network.bitcoin.fund(from, 1_000_000n)
    const recipient = await client.freshRecipient(EVM_ID)
    const request = { from: BVM_ID, to: EVM_ID, satoshis: 110_000n, recipient, user: 0 } as const
    const { status, body } = await client.ask({ ...request, more: { user: from } })
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ message: expect.stringContaining('userPublicKey') }),
    ])
    const more = { user: from, additionalData: { userPublicKey: Buffer.from(user.publicKey).toString('hex') } }
    const quote = await client.quote({ ...request, more })
    await client.pay(quote, request)
    await client.waitFor(quote.requestId, ['success'])
    expect(await client.balance(EVM_ID, recipient)).toBe(BigInt(quote.details.currencyOut.amount))
  })
})

describe('F127: a quote is simulated with what would be paid', () => {
  it('more units of another currency than the solver has bitcoins, to a fresh address', async () => {
    const recipient = await client.freshRecipient(BVM_ID)
    const more = { originCurrency: SOL, amount: (101n * 10n ** 9n).toString() }
    const large = await client.quote({ from: SVM_ID, to: BVM_ID, satoshis: 1n, recipient, more })
    expect(Number(large.details.currencyOut.amountUsd)).toBeGreaterThan(1_000)
    // That answer does not hold for an amount which really is too large.
    const most = { ...more, amount: (10n ** 6n * 10n ** 9n).toString() }
    const { status, body } = await client.ask({ from: SVM_ID, to: BVM_ID, satoshis: 1n, recipient, more: most })
    expect([status, body]).toMatchObject([400, { errorCode: 'INSUFFICIENT_LIQUIDITY' }])
  })

  it('twenty dollars to a new account of a chain where accounts have a least balance', async () => {
    const recipient = await client.freshRecipient(SVM_ID)
    const ask = (satoshis: bigint) =>
      client.ask({ from: BVM_ID, to: SVM_ID, satoshis, recipient, more: { destinationCurrency: SOL } })
    await client.quote({ from: BVM_ID, to: SVM_ID, satoshis: 20_000n, recipient, more: { destinationCurrency: SOL } })
    expect((await ask(20_000n)).status).toBe(200)
    const { status, body } = await ask(100n)
    expect([status, body]).toMatchObject([
      400,
      { errorCode: expect.stringMatching(/DESTINATION_TX_FAILED|AMOUNT_TOO_LOW/) },
    ])
  })
})

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
