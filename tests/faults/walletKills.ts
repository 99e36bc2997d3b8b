import { randomBytes } from 'node:crypto'
import type { Hex } from '@causeway/core'
import { createSecp256k1Signer } from '@causeway/core/chain'
import { coreMigrations } from '@causeway/core/host'
import { createWalletOrder, readDatabaseId, signWalletOrder, walletOrderText } from '@causeway/core/money-path'
import { createPool, withTransaction } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { balanceOnChain, findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { type DatabaseCopies, databaseCopies } from '../harness/database/databaseCopies.js'
import { type HostProcess, spawnHost, startHostProcess } from '../harness/host/hostProcess.js'
import { type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'

const AMOUNT = 1_000n

/** Adds the test: solvers die at each failpoint over orders of the operator, each of which is paid exactly once. */
export const testWalletKills = (places: readonly string[]): void => {
  let network: LocalNetwork
  let database: TestDatabase
  let copies: DatabaseCopies
  const running: HostProcess[] = []

  beforeAll(async () => {
    network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
    database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
    copies = databaseCopies(database)
  })
  afterAll(async () => {
    for (const host of running) host.signal('SIGKILL')
    await Promise.all(running.map(({ ended }) => ended))
    await copies?.drop()
    await database?.drop()
    await network?.close()
  })

  const recipient = freshAddress()
  const key = () => userOf(network, 5)

  const put = async (): Promise<Hex> => {
    const text = walletOrderText({
      network: 'testnet',
      database: await readDatabaseId(database.pool),
      action: 'send',
      chainId: network.chains[0].chain.chainId,
      wallet: network.roles.solver.address,
      currency: NATIVE,
      amount: AMOUNT,
      recipient,
      expires: Math.floor(Date.now() / 1_000) + 600,
      nonce: randomBytes(16).toString('hex'),
    })
    const signature = await signWalletOrder(text, createSecp256k1Signer(key().privateKey))
    return withTransaction(database.pool, (client) => createWalletOrder(client, { text, signature }, Date.now()))
  }

  it(`an order is paid once by solvers killed at each of ${places.length} failpoints, and over an older database put back`, {
    timeout: 300_000,
  }, async () => {
    const [harbor] = network.chains
    const wallet = { operators: [key().address], allowed: [{ chainId: harbor.chain.chainId, address: recipient }] }
    const options = { network, roles: ['solver'], config: { wallet } }
    const solver = (databaseUrl: string) => startHostProcess({ ...options, databaseUrl })
    const ids: Hex[] = []
    for (const failpoint of places) {
      ids.push(await put())
      // Each host first finishes what the one before it left unfinished, and may die at that.
      const host = await spawnHost({ ...options, databaseUrl: database.url, failpoint })
      running.push(host)
      expect(await host.ended, `at ${failpoint}: ${host.log().slice(-500)}`).toBe('SIGKILL')
    }
    ids.push(await put())
    const older = await copies.take()
    const last = await solver(database.url)
    running.push(last)
    await waitForQuiet(database.pool)
    const paid = async () => {
      const payments = await paymentsByOrder(harbor, network.roles.solver.address)
      return ids.map((id) => payments.get(id)?.fills)
    }
    const once = ids.map(() => 1)
    expect(await paid()).toEqual(once)
    expect(await findDiscrepancies(database.pool, network)).toEqual([])
    last.signal('SIGKILL')
    await last.ended
    running.push(await solver(older))
    const pool = createPool({ connectionString: older, max: 2, applicationName: 'causeway test' })
    try {
      await waitForQuiet(pool)
    } finally {
      await pool.end()
    }
    expect(await paid()).toEqual(once)
    expect(await balanceOnChain(harbor, recipient, NATIVE)).toBe(AMOUNT * BigInt(ids.length))
  })
}
