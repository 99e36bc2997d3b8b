import { createSecp256k1Signer } from '@causeway/core/chain'
import { operatorAddress } from '@causeway/core/money-path'
import { createPool } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitForQuiet } from '../harness/database/books.js'
import { findWalletDifferences } from '../harness/database/walletDifferences.js'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { runOperator } from '../harness/host/operatorCommand.js'
import { until } from '../harness/until.js'
import { BitcoinClient } from './bitcoinClient.js'
import { type BitcoinNetwork, BVM_ID, SVM_ID, startBitcoinNetwork } from './bitcoinNetwork.js'
import { paymentsOf } from './orderPayments.js'

const KEY = 'c1'.repeat(32)
/** The client makes and reads accounts of the chains, and sends no request to the host. */
const NO_SERVICE = { url: '', apiKey: '' }

let network: BitcoinNetwork
let database: TestDatabase
let pool: Pool
let host: HostProcess
let client: BitcoinClient
/** Whom the operator may pay, by chain. */
let allowed: Readonly<Record<typeof BVM_ID | typeof SVM_ID, string>>

const policy = () => ({
  operators: [operatorAddress(createSecp256k1Signer(KEY))],
  allowed: Object.entries(allowed).map(([chainId, address]) => ({ chainId: Number(chainId), address })),
})

beforeAll(async () => {
  ;[network, database] = await Promise.all([startBitcoinNetwork(), createTestDatabase({ packages: [] })])
  pool = createPool({ connectionString: database.url, max: 2, applicationName: 'causeway test' })
  const options = { network: network.host, databaseUrl: database.url }
  client = await BitcoinClient.open(network, NO_SERVICE)
  allowed = { [BVM_ID]: await client.freshRecipient(BVM_ID), [SVM_ID]: await client.freshRecipient(SVM_ID) }
  host = await startHostProcess({ ...options, config: { wallet: policy() } })
})
afterAll(async () => {
  host?.signal('SIGTERM')
  await host?.ended
  await pool?.end()
  await database?.drop()
  await network?.close()
})

/** A command of whoever holds the operator's key, which no host has. */
const command = (...words: readonly string[]) =>
  runOperator(
    {
      network: {
        ...network.host,
        keys: { ...network.host.keys, operator: { env: 'TEST_KEY_OPERATOR' } },
        environment: { ...network.host.environment, TEST_KEY_OPERATOR: KEY },
      },
      databaseUrl: database.url,
      config: { wallet: policy() },
    },
    words,
  )

const send = (chain: string, to: string) =>
  command('wallet', 'send', chain, 'BTC', '0.002', '--to', to, '--reason', 'to the vault', '--yes')

it.each([
  ['Bitcoin', 'glacier', BVM_ID],
  ['Solana', 'reef', SVM_ID],
] as const)('money leaves the wallet on %s once, by an order of the operator', async (_name, slug, chainId) => {
  const { code, output } = await send(slug, allowed[chainId])
  expect([code, output]).toEqual([0, expect.stringMatching(/0x[0-9a-f]{64}/)])
  const [id = ''] = /0x[0-9a-f]{64}/.exec(output) ?? []
  await until('the order to be paid', async () => {
    const balance = await client.balance(chainId, allowed[chainId])
    return balance > 0n ? balance : null
  })
  await waitForQuiet(pool, 60_000)
  expect(await client.balance(chainId, allowed[chainId])).toBe(200_000n)
  if (chainId === BVM_ID) expect(paymentsOf(network, id).length).toBe(1)
})

it('nobody else is paid, and the books agree with the chains', async () => {
  const stranger = await client.freshRecipient(BVM_ID)
  const { output } = await send('glacier', stranger)
  expect(output).toMatch(/not in wallet\.allowed/)
  await waitForQuiet(pool, 60_000)
  expect(await client.balance(BVM_ID, stranger)).toBe(0n)
  const checked = await command('ledger', 'check')
  expect([checked.code, checked.output]).toEqual([0, expect.stringContaining('rules hold')])
  expect(await findWalletDifferences(pool)).toEqual([])
})
