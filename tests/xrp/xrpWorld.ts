import type { Hex } from '@causeway/core'
import { createPool } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import type { Pool } from 'pg'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { createApiKey, runOperator } from '../harness/host/operatorCommand.js'
import { ApiClient, type HistoryRecord, type Quote } from '../transfers/apiClient.js'
import { UserClient, type UserRequest } from '../transfers/userClient.js'
import type { TransactionDraft } from './ledgerAccount.js'
import { paymentsOnXrp } from './paymentsOnXrp.js'
import { startXrpNetwork, type XrpNetwork } from './xrpNetwork.js'

/** Two chains, a database, a built host over them and users of both. */
export interface XrpWorld {
  readonly network: XrpNetwork
  readonly database: TestDatabase
  readonly host: HostProcess
  readonly client: UserClient
  readonly pool: Pool
  /** Asks for a quote that is refused. @throws Error when it is given */
  refusal(request: UserRequest): Promise<Refusal>
  /** What the history says of a request. */
  record(requestId: Hex): Promise<HistoryRecord>
  /** Runs a command of the built program over the same configuration and database. */
  command(...words: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }>
  close(): Promise<void>
}

export interface Refusal {
  readonly status: number
  readonly errorCode: string
  readonly message: string
}

export const startXrpWorld = async (): Promise<XrpWorld> => {
  const [network, database] = await Promise.all([startXrpNetwork(), createTestDatabase({ packages: [] })])
  const options = {
    network: network.host,
    databaseUrl: database.url,
    morePlugins: [{ package: '@causeway/plugin-requests-v3' }],
  }
  const host = await startHostProcess(options)
  const apiKey = await createApiKey(options)
  const client = await UserClient.open(network, { url: host.url, apiKey })
  const api = new ApiClient({ baseUrl: host.url, apiKey })
  const pool = createPool({ connectionString: database.url, max: 2, applicationName: 'causeway test' })
  return {
    ...{ network, database, host, client, pool },
    refusal: async (request) => {
      const { status, body } = await client.ask(request)
      if (status === 200) throw new Error('The quote was given')
      // CAST: the body of every refusal (wire.md 0.4).
      const { errorCode, message } = body as unknown as Refusal
      return { status, errorCode, message }
    },
    record: (requestId) => api.record(requestId),
    command: (...words) => runOperator(options, words),
    close: async () => {
      host.signal('SIGTERM')
      await host.ended
      await pool.end()
      await database.drop()
      await network.close()
    },
  }
}

/** The deposit of a quote, to be changed before somebody signs it (chains.md xrpvm 3). */
export const depositOf = ({ steps }: Quote): TransactionDraft => {
  // CAST: the one step of a quote from the XRP Ledger.
  const [data] = steps.flatMap(({ items }) =>
    items.map((item) => item.data as { readonly transaction: TransactionDraft }),
  )
  if (data === undefined) throw new Error(`The quote has no deposit`)
  return data.transaction
}

/** Payments of the service that carry an order's id. */
export const paymentsOf = ({ node, solver: { address: solver }, depository }: XrpNetwork, orderId: string) =>
  paymentsOnXrp({ node, solver, depository }, orderId)
