import type { BitcoinAccount } from '@causeway/chain-bvm/testing'
import { createPool } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { Psbt, type Transaction } from 'bitcoinjs-lib'
import type { Pool } from 'pg'
import { type HostNetwork, type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { createApiKey, runOperator } from '../harness/host/operatorCommand.js'
import type { Quote } from '../transfers/apiClient.js'
import { BitcoinClient } from './bitcoinClient.js'
import { type BitcoinNetwork, startBitcoinNetwork } from './bitcoinNetwork.js'

/** What each funded account of the chain begins with: one coin of each form. */
const COIN = 100_000_000n

/** Three chains, a database, a built host over them and a user's client. */
export interface BitcoinWorld {
  readonly network: BitcoinNetwork
  readonly database: TestDatabase
  readonly host: HostProcess
  readonly client: BitcoinClient
  readonly pool: Pool
  user(at: number): BitcoinAccount
  /** Runs a command of the built program over the same configuration and database. */
  command(...words: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }>
  close(): Promise<void>
}

export const startBitcoinWorld = async (
  configure: (host: HostNetwork) => HostNetwork = (host) => host,
  policy: Parameters<typeof startBitcoinNetwork>[0] = {},
): Promise<BitcoinWorld> => {
  const [network, database] = await Promise.all([startBitcoinNetwork(policy), createTestDatabase({ packages: [] })])
  const options = { network: configure(network.host), databaseUrl: database.url }
  const host = await startHostProcess(options)
  const client = await BitcoinClient.open(network, { url: host.url, apiKey: await createApiKey(options) })
  const pool = createPool({ connectionString: database.url, max: 2, applicationName: 'causeway test' })
  return {
    ...{ network, database, host, client, pool },
    user: (at) => {
      const found = network.bitcoinUsers[at]
      if (found === undefined) throw new Error(`no user ${at}`)
      return found
    },
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

/** Signs the deposit of a quote and hands it to the node itself, past both of its APIs. */
export const payAtNode = ({ bitcoin }: BitcoinNetwork, { steps }: Quote, { key }: BitcoinAccount): Promise<string> => {
  // CAST: the one step of a quote from Bitcoin (wire.md A.5).
  const [deposit] = steps.flatMap(({ items }) => items.map(({ data }) => data as { readonly psbt: string }))
  const signed = Psbt.fromHex(deposit?.psbt ?? '', { network: bitcoin.network }).signAllInputs(key)
  return bitcoin.send(signed.finalizeAllInputs().extractTransaction())
}

/** The coins that a transaction spends, of an account that has spent nothing before: for another one in its place. */
export const coinsOf = ({ ins }: Transaction) =>
  ins.map(({ hash, index }) => ({
    txid: Buffer.from(hash).reverse().toString('hex'),
    vout: index,
    value: COIN,
    form: 'p2wpkh' as const,
  }))

/** Sends a payment of the same coins to the account itself in place of a transaction. */
export const replace = ({ bitcoin }: BitcoinNetwork, first: Transaction, account: BitcoinAccount): Promise<string> =>
  bitcoin.pay(account, [{ to: account.addresses.p2tr, value: 300_000n }], { coins: coinsOf(first), fee: 20_000n })
