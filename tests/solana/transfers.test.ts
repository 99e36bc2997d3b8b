import { createPool } from '@causeway/core'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitForQuiet } from '../harness/books.js'
import { type HostProcess, hostCommand, startHostProcess } from '../harness/hostProcess.js'
import { type CrossNetwork, EVM_ID, SVM_ID, startCrossNetwork } from './crossNetwork.js'
import { CrossClient, createApiKey, runCommand } from './crossTransfer.js'

let network: CrossNetwork
let database: TestDatabase
let host: HostProcess
let client: CrossClient
let pool: Pool

beforeAll(async () => {
  ;[network, database] = await Promise.all([startCrossNetwork(), createTestDatabase({ packages: [] })])
  host = await startHostProcess({ network: network.host, databaseUrl: database.url })
  const apiKey = await createApiKey({ network: network.host, databaseUrl: database.url })
  client = new CrossClient(network, { url: host.url, apiKey })
  pool = createPool({ connectionString: database.url, max: 2, applicationName: 'causeway test' })
})
afterAll(async () => {
  host?.signal('SIGTERM')
  await host?.ended
  await pool?.end()
  await database?.drop()
  await network?.close()
})

const CASES = [
  { from: EVM_ID, symbol: 'ETH', amount: 10n ** 17n, what: 'native to an SPL token' },
  { from: EVM_ID, symbol: 'SOL', amount: 10n ** 9n, what: 'a token to native' },
  { from: EVM_ID, symbol: 'USDC', amount: 25n * 10n ** 18n, what: 'a token to SPL, 18 to 6 decimals' },
  { from: EVM_ID, symbol: 'GOLD', amount: 3n * 10n ** 6n, what: 'a token to Token-2022, 6 to 9 decimals' },
  { from: EVM_ID, symbol: 'TIDE', amount: 40n * 10n ** 18n, what: 'a token to a mint that takes a transfer fee' },
  { from: SVM_ID, symbol: 'SOL', amount: 10n ** 9n, what: 'native to a token' },
  { from: SVM_ID, symbol: 'ETH', amount: 10n ** 7n, what: 'SPL to native' },
  { from: SVM_ID, symbol: 'USDC', amount: 25n * 10n ** 6n, what: 'SPL to a token, 6 to 18 decimals' },
  { from: SVM_ID, symbol: 'GOLD', amount: 3n * 10n ** 9n, what: 'Token-2022 to a token, 9 to 6 decimals' },
] as const

const refundable = CASES.filter(({ symbol }) => symbol !== 'TIDE')

describe('value moves between an EVM chain and Solana over HTTP, by plain wallets', () => {
  it.each(CASES)('$what: the recipient gets what was quoted', async ({ from, symbol, amount }) => {
    const to = from === EVM_ID ? SVM_ID : EVM_ID
    const recipient = client.freshRecipient(to)
    const quote = await client.quote({ from, symbol, amount, user: 0, recipient })
    await client.pay(quote, { from, user: 0 })
    const { txHashes } = await client.waitFor(quote.requestId, ['success'])
    expect(txHashes).toHaveLength(1)
    const got = await client.balance(to, recipient, symbol)
    const quoted = BigInt(quote.details.currencyOut.amount)
    // A mint that takes its fee of every transfer is paid so much more that the quoted amount arrives.
    expect(got).toBeGreaterThanOrEqual(quoted)
    if (symbol !== 'TIDE') expect(got).toBe(quoted)
  })

  it.each(refundable)('$what: a forced refund brings the deposit back', async ({ from, symbol, amount }) => {
    const to = from === EVM_ID ? SVM_ID : EVM_ID
    const refundTo = client.freshRecipient(from)
    const recipient = client.freshRecipient(to)
    const more = { referrer: 'debug-force-refund', refundTo }
    const quote = await client.quote({ from, symbol, amount, user: 1, recipient, more })
    await client.pay(quote, { from, user: 1 })
    await client.waitFor(quote.requestId, ['refund'])
    const back = await client.balance(from, refundTo, symbol)
    expect(back).toBeGreaterThan((amount * 8n) / 10n)
    expect(back).toBeLessThanOrEqual(amount)
    expect(await client.balance(to, recipient, symbol)).toBe(0n)
  })

  it('ten at once in both directions, each paid once', async () => {
    const asked = [0, 1, 2, 3, 4].flatMap((user) => [
      { from: EVM_ID, symbol: 'USDC', amount: BigInt(user + 5) * 10n ** 18n, user } as const,
      { from: SVM_ID, symbol: 'USDC', amount: BigInt(user + 5) * 10n ** 6n, user } as const,
    ])
    const quotes = await Promise.all(asked.map((request) => client.quote(request)))
    await Promise.all(quotes.map((quote, at) => client.pay(quote, asked[at] ?? { from: EVM_ID, user: 0 })))
    for (const { requestId } of quotes) await client.waitFor(requestId, ['success'])
  })

  it('the books agree with both chains to the unit, every deposit is taken out of the vault', async () => {
    await waitForQuiet(pool, 60_000)
    const { args, env } = await hostCommand({ network: network.host, databaseUrl: database.url })
    const [cli = '', , , config = ''] = args
    const { code, output } = await runCommand([cli, 'ledger', 'check', '--config', config], env)
    expect(output).toContain('rules hold')
    expect(code).toBe(0)
    for (const symbol of ['SOL', 'USDC', 'GOLD', 'ETH']) {
      expect(await client.balance(SVM_ID, network.vault.address, symbol)).toBe(0n)
    }
  })
})
