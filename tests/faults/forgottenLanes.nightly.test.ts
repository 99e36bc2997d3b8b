import { coreMigrations } from '@causeway/core/host'
import { RESTORED_HISTORY_SQL } from '@causeway/core/money-path'
import { createPool } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAt, textAt } from '../harness/apiCall.js'
import { findDifferences, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { type DatabaseCopies, databaseCopies } from '../harness/database/databaseCopies.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { executeQuote, nativeTransfer, type QuoteAnswer, quoteTransfer, waitForStatus } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type OperatorDesk, openDesk } from '../operator/operatorDesk.js'

const YES = { yes: true, reason: 'restored from the backup of the night' }

let network: LocalNetwork
let database: TestDatabase
let copies: DatabaseCopies
let deployment: Deployment
let desk: OperatorDesk
/** Quoted before the backup, deposited and paid after it. */
let known: QuoteAnswer
/** Quoted, deposited and paid after it. */
let forgotten: QuoteAnswer

const quote = (user: number): Promise<QuoteAnswer> => quoteTransfer(deployment.engine, nativeTransfer(network, user))

/** Makes of a copy what a backup is that was made before any key was used. */
const forgetLanes = async (connectionString: string): Promise<void> => {
  const pool = createPool({ connectionString, max: 1, applicationName: 'causeway test' })
  try {
    await pool.query('delete from lanes')
    await pool.query('truncate ledger_transactions, ledger_entries')
    await pool.query(RESTORED_HISTORY_SQL)
  } finally {
    await pool.end()
  }
}

beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  copies = databaseCopies(database)
  deployment = await startDeployment({ network, databaseUrl: database.url })
  known = await quote(0)
  await deployment.kill()
  const older = await copies.take()
  deployment = await startDeployment({ network, databaseUrl: database.url })
  forgotten = await quote(1)
  for (const [user, item] of [known, forgotten].entries()) {
    await executeQuote(network.chains[0].chain, userOf(network, user), item)
    await waitForStatus(deployment.requests, item.requestId, ['success'])
  }
  await waitForQuiet(deployment.pool)
  await deployment.kill()
  await forgetLanes(older)
  deployment = await startDeployment({ network, databaseUrl: older })
  desk = openDesk(deployment)
})
afterAll(async () => {
  await deployment?.kill()
  await copies?.drop()
  await database?.drop()
  await network?.close()
})

const fills = async (): Promise<number[]> => {
  const paid = await paymentsByOrder(network.chains[1], network.roles.solver.address)
  return [known, forgotten].map(({ protocol }) => paid.get(protocol.v2.orderId)?.fills ?? 0)
}

const refunds = async (): Promise<number> => {
  const paid = await paymentsByOrder(network.chains[0], network.roles.solver.address)
  return paid.get(forgotten.protocol.v2.orderId)?.fills ?? 0
}

const parkedDeposit = (): Promise<unknown> =>
  until('the deposit to be parked with what paid it', async () => {
    const deposits = listAt(await desk.json('parked list'), 'deposits')
    const found = deposits.find((deposit) => textAt(deposit, 'orderId') === forgotten.protocol.v2.orderId)
    return found !== undefined && listAt(found, 'paidBy').length === 1 ? found : null
  })

describe('F120: a database put back that knows nothing of the keys that paid since', () => {
  it('reads all that they sent, names what paid a deposit whose quote it forgot, and sends that back to nobody', async () => {
    const id = textAt(await parkedDeposit(), 'depositId')
    await expect(desk.run('parked refund', [id], YES)).rejects.toThrow('was paid already')
    const { rows } = await deployment.pool.query<{ state: string }>('select state from lanes where chain_id = $1', [
      network.chains[1].chain.chainId,
    ])
    expect(rows).toEqual([{ state: 'quarantined' }])
    expect([await fills(), await refunds()]).toEqual([[1, 1], 0])
  })

  it('knows what it has a quote of as paid, once the rest is closed, and pays nothing again', async () => {
    const parked = await parkedDeposit()
    const paidBy = textAt(parked, 'paidBy.0.txId')
    await desk.run('parked close', [textAt(parked, 'depositId')], { ...YES, paidBy })
    await waitForStatus(deployment.requests, known.requestId, ['success'])
    await waitForQuiet(deployment.pool)
    expect([await fills(), await refunds()]).toEqual([[1, 1], 0])
  })

  it('has in its books what the wallets hold, but for gas that nobody can tell of', async () => {
    const gas = ether('0.01')
    const differences = await findDifferences(deployment.pool, network)
    expect(
      differences.filter(
        ({ currency, booked, real }) => currency !== NATIVE || booked - real > gas || real - booked > gas,
      ),
    ).toEqual([])
  })
})
