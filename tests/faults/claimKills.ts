import type { Hex } from '@causeway/core'
import { coreMigrations } from '@causeway/core/host'
import { postLedger } from '@causeway/core/money-path'
import { createPool, readAppBalances, withTransaction } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi, textAt, valueAt } from '../harness/apiCall.js'
import { balanceOnChain, findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { type DatabaseCopies, databaseCopies } from '../harness/database/databaseCopies.js'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { type LocalNetwork, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'
import { until } from '../harness/until.js'

const AMOUNT = 2_000_000n

interface Asked {
  readonly id: Hex
  /** Body that goes back with the signature. */
  readonly post: object
  readonly signature: Hex
}

/** Adds the test: hosts die at each failpoint over claims, and older databases are put back; every claim is paid exactly once. */
export const testClaimKills = (places: readonly string[]): void => {
  const given = AMOUNT * BigInt(places.length + 1)
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

  const first = () => network.chains[0]
  const owner = () => userOf(network, 4)
  const recipient = freshAddress()

  const start = async (databaseUrl: string, failpoint?: string): Promise<HostProcess> => {
    const { chain, usdc } = first()
    return startHostProcess({
      network,
      databaseUrl,
      roles: ['api', 'solver'],
      morePlugins: [{ package: '@causeway/plugin-app-fees' }],
      config: { balances: { chainId: chain.chainId, currency: usdc } },
      ...(failpoint === undefined ? {} : { failpoint }),
    })
  }

  const kill = async (host: HostProcess): Promise<void> => {
    host.signal('SIGKILL')
    await host.ended
  }

  /** The operator's money becomes the owner's balance. */
  const give = async (): Promise<void> => {
    const { chain, usdc } = first()
    const dollars = { chainId: chain.chainId, currency: usdc }
    const entries = [
      { ...dollars, account: 'capital' as const, amount: given },
      { ...dollars, account: 'app' as const, amount: -given, holder: owner().address.toLowerCase() },
    ]
    await withTransaction(database.pool, (client) =>
      postLedger(client, [{ cause: `capital:${chain.chainId}:${usdc}`, event: 'given', entries }], Date.now()),
    )
  }

  const ask = async ({ url }: HostProcess): Promise<Asked> => {
    const { chain, usdc } = first()
    const claim = { chainId: chain.chainId, currency: usdc, recipient, amount: AMOUNT.toString() }
    const answer = await until('a claim', async () => {
      const found = await callApi(url, `/app-fees/${owner().address}/claim`, { body: claim })
      if (found.status === 503) return null
      if (found.status !== 200) throw new Error(found.text)
      return found.body
    })
    // CAST: the answer's schema says hex.
    const id = textAt(answer, 'steps.0.requestId') as Hex
    const body = valueAt(answer, 'steps.0.items.0.data.post.body') as object
    const signature = await privateKeyToAccount(owner().privateKey).signMessage({ message: { raw: id } })
    return { id, post: body, signature }
  }

  /** What the host answers; null where it died over it. */
  const post = ({ url }: HostProcess, { post: body, signature }: Asked): Promise<number | null> =>
    callApi(url, `/execute/permits?signature=${signature}`, { body }).then(
      ({ status }) => status,
      () => null,
    )

  const paid = async (claims: readonly Asked[]): Promise<readonly (number | undefined)[]> => {
    const payments = await paymentsByOrder(first(), network.roles.solver.address)
    return claims.map(({ id }) => payments.get(id)?.fills)
  }

  /** All of the balance is paid by a database but `most`, and its books agree with the chains. */
  const expectPaid = async (url: string, most = 0n): Promise<void> => {
    const pool = createPool({ connectionString: url, max: 2, applicationName: 'causeway test' })
    const owed = async () =>
      (await readAppBalances(pool, owner().address.toLowerCase())).reduce((sum, { app }) => sum + app, 0n)
    try {
      await until('the claims to be booked', async () => ((await owed()) <= most ? true : null), 30_000)
      await waitForQuiet(pool)
      expect(await owed()).toBeGreaterThanOrEqual(0n)
      expect(await findDiscrepancies(pool, network)).toEqual([])
    } finally {
      await pool.end()
    }
  }

  it(`a claim is paid once by hosts killed at each of ${places.length} failpoints, and over older databases put back`, {
    timeout: 600_000,
  }, async () => {
    await give()
    const opening = await start(database.url)
    await until('both lanes to be open', async () => {
      const { rows } = await database.pool.query(`select 1 from lanes where state = 'open' having count(*) = 2`)
      return rows[0]
    })
    await kill(opening)
    const beforeThem = await copies.take()
    const asking = await start(database.url)
    const claims: Asked[] = []
    for (let n = 0; n <= places.length; n += 1) claims.push(await ask(asking))
    await kill(asking)
    const unsigned = await copies.take()

    for (const [at, failpoint] of places.entries()) {
      const host = await start(database.url, failpoint)
      // What was lost with the host before is signed again; for the rest nothing changes by it.
      for (const claim of claims.slice(0, at + 1)) await post(host, claim)
      expect(await host.ended, `at ${failpoint}: ${host.log().slice(-500)}`).toBe('SIGKILL')
    }
    const last = await start(database.url)
    for (const claim of [...claims, ...claims]) expect(await post(last, claim)).toBe(200)
    await expectPaid(database.url)
    const once = claims.map(() => 1)
    expect(await paid(claims)).toEqual(once)
    await kill(last)
    const received = await balanceOnChain(first(), recipient, first().usdc)
    expect(received).toBeLessThan(given)
    expect(received).toBeGreaterThan((given * 9n) / 10n)

    // Databases that knew no claim yet; over one of them the wallet's signatures are posted again.
    for (const older of [unsigned, beforeThem]) {
      const host = await start(older)
      running.push(host)
      if (older === unsigned) for (const claim of claims) await post(host, claim)
      // A database that forgot a claim may know the payment alone, so its network cost stays with the owner.
      await expectPaid(older, given - received)
      expect(await paid(claims)).toEqual(once)
      await kill(host)
    }
    expect(await balanceOnChain(first(), recipient, first().usdc)).toBe(received)
  })
}
