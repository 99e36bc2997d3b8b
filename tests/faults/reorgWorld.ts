import type { Hex } from '@causeway/core'
import { coreMigrations } from '@causeway/core/host'
import { buildRecord, loadRecordFacts, type RecordJson } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterEach, beforeEach } from 'vitest'
import { waitForQuiet } from '../harness/database/books.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { quoteTransfer } from '../harness/transfer.js'
import { until } from '../harness/until.js'

/** Deep enough that nothing is final before a test has made it leave its chain; what is to end has blocks made for it. */
export const SETTLE = 60
export let network: LocalNetwork
export let database: TestDatabase
export let deployment: Deployment

export const quoteOne = (recipient: string) =>
  quoteTransfer(deployment.engine, {
    user: userOf(network, 0),
    from: network.chains[0].chain.chainId,
    to: network.chains[1].chain.chainId,
    originCurrency: NATIVE,
    destinationCurrency: NATIVE,
    amount: ether('1'),
    recipient,
  })

export const inTx = async (txId: string): Promise<{ status: string; reorg: string | null } | null> => {
  const { rows } = await deployment.pool.query<{ status: string; reorg: string | null }>(
    `select status, reorg from request_txs where direction = 'in' and tx_id = $1`,
    [txId],
  )
  return rows[0] ?? null
}

/** The record as `GET /requests/v3` shows it. */
export const recordOf = async (id: Hex): Promise<RecordJson> => {
  const facts = (await loadRecordFacts(deployment.pool, [{ id, unpaid: false }])).get(id)
  if (facts === undefined) throw new Error(`There is no request ${id}`)
  const { currencies, chains } = deployment
  return buildRecord(facts, { currencies, chains, partnerKey: 'partner' })
}

export const events = async (requestId: string): Promise<string[]> => {
  const { rows } = await deployment.pool.query<{ status: string }>(
    `select status from request_events where request_id = decode($1, 'hex') order by version`,
    [requestId.slice(2)],
  )
  return rows.map(({ status }) => status)
}

export const everythingFinal = (): Promise<true> =>
  until('everything to be final', async () => {
    await Promise.all(network.chains.map(({ chain }) => chain.mine(SETTLE)))
    return waitForQuiet(deployment.pool, 1_000).catch(() => null)
  })

/** Kills the deployment and starts it again, with all roles unless told. */
export const restart = async (roles?: readonly ('watcher' | 'solver')[]): Promise<void> => {
  await deployment.kill()
  const options = { network, databaseUrl: database.url, settle: SETTLE }
  deployment = await startDeployment(roles === undefined ? options : { ...options, roles })
}

/** Starts two chains and a host before the tests of a file, and stops them afterwards. */
export const useReorgWorld = (): void => {
  beforeEach(async () => {
    network = await startLocalNetwork()
    database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
    deployment = await startDeployment({ network, databaseUrl: database.url, settle: SETTLE })
  })
  afterEach(async () => {
    await deployment?.kill()
    await database?.drop()
    await network?.close()
  })
}
