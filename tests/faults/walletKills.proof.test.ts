import { randomBytes } from 'node:crypto'
import type { Hex } from '@causeway/core'
import { createSecp256k1Signer } from '@causeway/core/chain'
import { coreMigrations } from '@causeway/core/host'
import { createWalletOrder, readDatabaseId, signWalletOrder, walletOrderText } from '@causeway/core/money-path'
import { withTransaction } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { balanceOnChain, findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'

const PLACES = [
  'send.store.before',
  'send.store.after',
  'send.broadcast.after',
  'send.submitted.after',
  'send.included.before',
  'send.included.after',
  'send.final.before',
]
const AMOUNT = 1_000n

let network: LocalNetwork
let database: TestDatabase
const running: HostProcess[] = []

beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(async () => {
  for (const host of running) host.signal('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  await database?.drop()
  await network?.close()
})

it(`a wallet order is paid exactly once by solvers killed at each of ${PLACES.length} places`, async () => {
  const [harbor] = network.chains
  const key = userOf(network, 5)
  const recipient = freshAddress()
  const wallet = { operators: [key.address], allowed: [{ chainId: harbor.chain.chainId, address: recipient }] }
  const options = { network, databaseUrl: database.url, roles: ['solver'], config: { wallet } }
  const ids: Hex[] = []
  for (const failpoint of PLACES) {
    // Each finishes what the one before it left behind, then meets its own place.
    const host = await startHostProcess({ ...options, failpoint })
    const text = walletOrderText({
      network: 'testnet',
      database: await readDatabaseId(database.pool),
      action: 'send',
      chainId: harbor.chain.chainId,
      wallet: network.roles.solver.address,
      currency: NATIVE,
      amount: AMOUNT,
      recipient,
      expires: Math.floor(Date.now() / 1_000) + 600,
      nonce: randomBytes(16).toString('hex'),
    })
    const signature = await signWalletOrder(text, createSecp256k1Signer(key.privateKey))
    ids.push(
      await withTransaction(database.pool, (client) => createWalletOrder(client, { text, signature }, Date.now())),
    )
    expect(await host.ended, `at ${failpoint}: ${host.log().slice(-500)}`).toBe('SIGKILL')
  }
  running.push(await startHostProcess(options))
  await waitForQuiet(database.pool)
  expect(await balanceOnChain(harbor, recipient, NATIVE)).toBe(AMOUNT * BigInt(PLACES.length))
  const paid = await paymentsByOrder(harbor, network.roles.solver.address)
  expect(ids.map((id) => paid.get(id)?.fills)).toEqual(ids.map(() => 1))
  expect(await findDiscrepancies(database.pool, network)).toEqual([])
})
