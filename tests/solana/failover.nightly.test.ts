import { type FaultProxy, startFaultProxy } from '@causeway/chain-evm/testing'
import { createTestDatabase, failOver, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitForQuiet } from '../harness/database/books.js'
import { type HostProcess, type HostProcessOptions, startHostProcess } from '../harness/host/hostProcess.js'
import { createApiKey } from '../harness/host/operatorCommand.js'
import { until } from '../harness/until.js'
import { UserClient } from '../transfers/userClient.js'
import { type CrossNetwork, EVM_ID, SVM_ID, startCrossNetwork } from './crossNetwork.js'
import { paymentsOnSolana } from './paymentsOnSolana.js'

/** A blockhash stays valid for so many blocks. */
const VALID_BLOCKS = 150

let network: CrossNetwork
let database: TestDatabase
let proxy: FaultProxy
let options: HostProcessOptions
const hosts: HostProcess[] = []

beforeAll(async () => {
  // Slow slots: what is signed stays valid until this test lets the blocks pass.
  ;[network, database] = await Promise.all([startCrossNetwork({ slotMs: 1_000 }), createTestDatabase({ packages: [] })])
  proxy = await startFaultProxy(network.svm.rpcUrl)
  const chains = network.host.chains.map((chain) =>
    chain.id === SVM_ID ? { ...chain, rpc: [{ http: proxy.url }] } : chain,
  )
  options = { network: { ...network.host, chains }, databaseUrl: database.url }
})
afterAll(async () => {
  for (const host of hosts) host.signal('SIGKILL')
  await Promise.all(hosts.map(({ ended }) => ended))
  await proxy?.close()
  await database?.drop()
  await network?.close()
})

const start = async (): Promise<HostProcess> => {
  const host = await startHostProcess(options)
  hosts.push(host)
  return host
}

/** What an asynchronous standby lacks: the signed fill, and where the lane went on. */
const forgetFill = async (position: string): Promise<void> => {
  await database.pool.query(`delete from payout_attempts where chain_id = ${SVM_ID}`)
  await database.pool.query(`delete from payout_guards where chain_id = ${SVM_ID}`)
  await database.pool.query('delete from payout_generations')
  await database.pool.query(
    `update payouts set state = 'ready', generation = 0, next_action = 'sign', next_action_at = now(), first_broadcast_at = null
     where chain_id = ${SVM_ID}`,
  )
  await database.pool.query('update lanes set position = $1 where chain_id = $2', [position, SVM_ID])
}

interface LaneRow {
  readonly state: string
  readonly position: string
  /** Read since the database failed over. */
  readonly current: boolean
}

const laneOf = async (): Promise<LaneRow> => {
  const { rows } = await database.pool.query<LaneRow>(
    'select state, position, history = server_history() as current from lanes where chain_id = $1',
    [SVM_ID],
  )
  const [lane] = rows
  if (lane === undefined) throw new Error('The lane was never opened')
  return lane
}

it('F121: a fill that no node shows and the database lost lands later: the lane waits out its validity and does not pay it again', {
  timeout: 240_000,
}, async () => {
  const first = await start()
  const client = await UserClient.open(network, { url: first.url, apiKey: await createApiKey(options) })
  const request = { from: EVM_ID, to: SVM_ID, symbol: 'USDC', amount: 10n ** 19n, user: 0 } as const
  const quote = await client.quote(request)
  const before = await laneOf()
  const sent: string[] = []
  proxy.add('sendTransaction', {
    when: ([bytes]) => sent.push(String(bytes)) > 0,
    error: { code: -32_005, message: 'Node is behind' },
  })
  await client.pay(quote, request)
  const lost = await until('the fill to be sent', async () => sent[0])
  first.signal('SIGKILL')
  await first.ended
  await forgetFill(before.position)
  await failOver(database.pool)
  proxy.clear()
  const second = await start()
  const opened = await until('the lane to be read again', async () => {
    const lane = await laneOf()
    return lane.current ? lane : null
  })
  await network.svm.connection.sendRawTransaction(Buffer.from(lost, 'base64'), { skipPreflight: true })
  const solver = { connection: network.svm.connection, address: network.solvers.svm.address }
  await until('the lost fill to land', async () => ((await paymentsOnSolana(solver)).size > 0 ? true : null))
  await network.svm.advance(VALID_BLOCKS / 2)
  const halfway = await laneOf()
  const once = [[`fill ${quote.protocol.v2.orderId}`, 1]]
  expect([...(await paymentsOnSolana(solver))]).toEqual(once)
  await network.svm.advance(VALID_BLOCKS)
  const after = await UserClient.open(network, { url: second.url, apiKey: await createApiKey(options) })
  await after.waitFor(quote.requestId, ['success'], 60_000)
  await waitForQuiet(database.pool)
  expect([...(await paymentsOnSolana(solver))]).toEqual(once)
  // Seen, and still shut: another one may have been lost with it.
  for (const lane of [opened, halfway]) expect(lane).toMatchObject({ state: 'settling', position: before.position })
  expect(second.log()).toContain('may still land')
})
