import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, giveOddSettings, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { balanceOnChain, findDiscrepancies, waitForQuiet } from './harness/database/books.js'
import { type PgBouncer, startPgBouncer, withPgBouncer } from './harness/database/pgBouncer.js'
import { type Deployment, startDeployment } from './harness/host/deployment.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from './harness/localNetwork.js'
import { executeQuote, freshAddress, quoteTransfer, waitForStatus } from './harness/transfer.js'

let network: LocalNetwork
let database: TestDatabase
let deployment: Deployment
let pooler: PgBouncer | undefined

/** Formats, time zone and isolation of the database are not those of the service, and a pooler is before it (faults.md F168). */
beforeAll(async () => {
  network = await startLocalNetwork()
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  await giveOddSettings(database.url)
  if (withPgBouncer()) pooler = await startPgBouncer(database.url, 'session')
  deployment = await startDeployment({ network, databaseUrl: pooler?.through(database.url) ?? database.url })
})
afterAll(async () => {
  await deployment?.kill()
  await pooler?.close()
  await database?.drop()
  await network?.close()
})

it.each([
  { name: 'native, exact input', from: 0, currency: 'native', amount: ether('1'), tradeType: 'EXACT_INPUT' },
  { name: 'token 6 to 18 decimals', from: 0, currency: 'usdc', amount: 25_000_000n, tradeType: 'EXACT_INPUT' },
  { name: 'token 18 to 6 decimals', from: 1, currency: 'usdc', amount: ether('25'), tradeType: 'EXACT_INPUT' },
  { name: 'native, exact output', from: 1, currency: 'native', amount: ether('0.5'), tradeType: 'EXACT_OUTPUT' },
  { name: 'token, expected output', from: 1, currency: 'usdc', amount: 7_000_000n, tradeType: 'EXPECTED_OUTPUT' },
] as const)('pays what was quoted, to the unit: $name (wire.md D.5)', async ({ from, currency, amount, tradeType }) => {
  const origin = network.chains[from]
  const destination = network.chains[from === 0 ? 1 : 0]
  const recipient = freshAddress()
  const currencies = currency === 'native' ? [NATIVE, NATIVE] : [origin.usdc, destination.usdc]
  const quote = await quoteTransfer(deployment.engine, {
    user: userOf(network, 0),
    from: origin.chain.chainId,
    to: destination.chain.chainId,
    originCurrency: currencies[0] ?? '',
    destinationCurrency: currencies[1] ?? '',
    amount,
    tradeType,
    recipient,
  })
  await executeQuote(origin.chain, userOf(network, 0), quote)
  const done = await waitForStatus(deployment.requests, quote.requestId, ['success', 'failure', 'refund'])
  expect(done).toMatchObject({ status: 'success', failReason: null, inTxHashes: [expect.any(String)] })
  expect(done.txHashes).toHaveLength(1)
  expect(await balanceOnChain(destination, recipient, currencies[1] ?? '')).toBe(
    BigInt(quote.details.currencyOut.amount),
  )
})

it('pays ten deposits sent at once, each once', async () => {
  const [origin, destination] = network.chains
  const recipients = Array.from({ length: 10 }, () => freshAddress())
  const quotes = await Promise.all(
    recipients.map((recipient) =>
      quoteTransfer(deployment.engine, {
        user: userOf(network, 1),
        from: origin.chain.chainId,
        to: destination.chain.chainId,
        originCurrency: NATIVE,
        destinationCurrency: NATIVE,
        amount: ether('0.1'),
        recipient,
      }),
    ),
  )
  const nonce = Number(
    await origin.chain.rpc<string>('eth_getTransactionCount', [userOf(network, 1).address, 'latest']),
  )
  for (const [index, quote] of quotes.entries()) {
    const item = quote.steps[0]?.items[0]?.data
    if (item === undefined) throw new Error('no step')
    await origin.chain.send(userOf(network, 1), {
      to: item.to,
      data: item.data,
      value: BigInt(item.value),
      nonce: nonce + index,
      gas: 200_000n,
    })
  }
  await Promise.all(quotes.map(({ requestId }) => waitForStatus(deployment.requests, requestId, ['success'])))
  for (const [index, recipient] of recipients.entries()) {
    expect(await balanceOnChain(destination, recipient, NATIVE)).toBe(
      BigInt(quotes[index]?.details.currencyOut.amount ?? '0'),
    )
  }
})

it('sends a forced refund back, less its gas (wire.md E.5)', async () => {
  const [origin, destination] = network.chains
  const refundTo = freshAddress()
  const quote = await quoteTransfer(deployment.engine, {
    user: userOf(network, 2),
    from: origin.chain.chainId,
    to: destination.chain.chainId,
    originCurrency: origin.usdc,
    destinationCurrency: destination.usdc,
    amount: 50_000_000n,
    more: { referrer: 'debug-force-refund', refundTo },
  })
  await executeQuote(origin.chain, userOf(network, 2), quote)
  const done = await waitForStatus(deployment.requests, quote.requestId, ['success', 'failure', 'refund'])
  expect(done.status).toBe('refund')
  expect(done.txHashes).toHaveLength(1)
  const returned = await balanceOnChain(origin, refundTo, origin.usdc)
  expect(returned).toBeGreaterThan(49_000_000n)
  expect(returned).toBeLessThan(50_000_000n)
})

it('ends with books that agree with both chains to the unit (architecture.md 6 Ledger)', async () => {
  await waitForQuiet(deployment.pool)
  expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
})
