import { coreMigrations } from '@causeway/core/host'
import { createPool } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi, textAt } from '../harness/apiCall.js'
import { balanceOnChain, findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { type DatabaseCopies, databaseCopies } from '../harness/database/databaseCopies.js'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { type LocalNetwork, NATIVE, startLocalNetwork } from '../harness/localNetwork.js'
import { until } from '../harness/until.js'
import { DOLLARS, depositsUnder, postSignature, type SignedQuote, signedQuote } from './gaslessWorld.js'

interface Signed {
  readonly from: 0 | 1
  readonly quote: SignedQuote
}

/** Adds the test: hosts die at each failpoint over signatures, each of which becomes one deposit and one fill. */
export const testPermitKills = (places: readonly string[]): void => {
  let network: LocalNetwork
  let database: TestDatabase
  let copies: DatabaseCopies
  const running: HostProcess[] = []

  beforeAll(async () => {
    network = await startLocalNetwork({
      blockTimeSeconds: 0.25,
      dollars: 'authorization',
      secondDollars: 'permit',
    })
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

  const start = async (databaseUrl: string, failpoint?: string): Promise<HostProcess> => {
    const options = { network, databaseUrl, permits: true, ...(failpoint === undefined ? {} : { failpoint }) }
    const host = await startHostProcess(options)
    running.push(host)
    return host
  }

  const kill = async (host: HostProcess): Promise<void> => {
    host.signal('SIGKILL')
    await host.ended
  }

  /** What the host answers; null where it died over it. */
  const post = (host: HostProcess, { quote: { step, signature } }: Signed): Promise<number | null> =>
    postSignature({ host }, step, signature).then(
      ({ status }) => status,
      () => null,
    )

  /** By EIP-3009 and EIP-2612 in turn. */
  const sign = async (host: HostProcess, at: number): Promise<Signed> => {
    const from = at % 2 === 0 ? 0 : 1
    return { from, quote: await signedQuote({ host, network }, { from }) }
  }

  const ended = ({ url }: HostProcess, { quote: { answer } }: Signed): Promise<true> =>
    until('the success of a request', async () => {
      const { body } = await callApi(url, `/intents/status/v3?requestId=${textAt(answer, 'requestId')}`)
      return textAt(body, 'status') === 'success' ? true : null
    })

  /** What the chains show of each: one deposit of all that was signed for, and one fill. */
  const expectOnce = async (all: readonly Signed[]): Promise<void> => {
    const { solver } = network.roles
    const fills = await Promise.all(network.chains.map((chain) => paymentsByOrder(chain, solver.address)))
    for (const { from, quote } of all) {
      const [origin, to] = [network.chains[from], from === 0 ? (1 as const) : (0 as const)]
      const deposits = await depositsUnder(origin, quote.orderId)
      expect(deposits).toMatchObject([{ from: quote.user.address.toLowerCase(), amount: DOLLARS[from] }])
      expect(fills[to]?.get(quote.orderId)).toMatchObject({ fills: 1, excess: 0 })
      expect(await balanceOnChain(origin, quote.user.address, origin.usdc)).toBe(0n)
      expect(await balanceOnChain(network.chains[to], quote.recipient, network.chains[to].usdc)).toBe(
        BigInt(textAt(quote.answer, 'details.currencyOut.amount')),
      )
    }
  }

  /**
   * Nothing is under way in a database, and its books agree with the chains. `forgot`: it does not know what was sent, and so not what gas that took:
   * as with sweeps, no payout of it is left to book that.
   */
  const expectBooks = async (url: string, { forgot = false } = {}): Promise<void> => {
    const pool = createPool({ connectionString: url, max: 2, applicationName: 'causeway test' })
    try {
      await waitForQuiet(pool)
      const all = await findDiscrepancies(pool, network)
      expect(forgot ? all.filter((each) => !each.includes(`wallet ${NATIVE}: booked`)) : all).toEqual([])
    } finally {
      await pool.end()
    }
  }

  it(`a signature is one deposit and one fill with hosts killed at each of ${places.length} failpoints, and over an older database put back`, {
    timeout: 400_000,
  }, async () => {
    const asking = await start(database.url)
    await until('quotes', () => sign(asking, 0).catch(() => null))
    const signed: Signed[] = []
    for (let at = 0; at <= places.length; at += 1) signed.push(await sign(asking, at))
    await kill(asking)
    const unsigned = await copies.take()

    for (const [at, failpoint] of places.entries()) {
      const host = await start(database.url, failpoint)
      // What was lost with the host before is posted again; for the rest nothing changes by it.
      for (const each of signed.slice(0, at + 1)) await post(host, each)
      expect(await host.ended, `at ${failpoint}: ${host.log().slice(-500)}`).toBe('SIGKILL')
    }
    const last = await start(database.url)
    for (const each of [...signed, ...signed]) expect(await post(last, each)).toBe(200)
    for (const each of signed) await ended(last, each)
    await expectBooks(database.url)
    await expectOnce(signed)
    await kill(last)

    // One that knows what was quoted, and nothing of what was signed since.
    const host = await start(unsigned)
    for (const each of signed) expect([200, 503]).toContain(await post(host, each))
    for (const each of signed) await ended(host, each)
    await expectBooks(unsigned, { forgot: true })
    for (const each of signed) expect(await post(host, each)).toBe(200)
    await expectOnce(signed)
  })
}
