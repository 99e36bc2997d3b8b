import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { runKeyCommand, startTestHost, type TestHost } from '../harness/host/host.js'
import { type LocalNetwork, NATIVE, startLocalNetwork } from '../harness/localNetwork.js'
import { type Authority, createAuthority } from '../webhooks/certificates.js'
import { type Receiver, startReceiver } from '../webhooks/receiver.js'
import { trustingOptions } from '../webhooks/webhookWorld.js'

/** A whole host in this process, whose integrators have webhooks that it calls on this machine, and a token that calls itself something. */
export interface MemberWorld {
  readonly network: LocalNetwork
  readonly database: TestDatabase
  readonly host: TestHost
  readonly receiver: Receiver
  /** Makes a key of an integrator, as an operator does. */
  newKey(integrator: string, label: string): Promise<{ readonly id: string; readonly apiKey: string }>
  close(): Promise<void>
}

/** What the dollars of both chains are called in the configuration. */
export interface TokenNames {
  readonly symbol: string
  readonly name: string
}

const named = (network: LocalNetwork, dollars: TokenNames): LocalNetwork => {
  const [first, second] = network.chains
  const rename = (chain: typeof first): typeof first => ({
    ...chain,
    currencies: chain.currencies.map((each) =>
      each.address === NATIVE || each.address === chain.blockable ? each : { ...each, ...dollars },
    ),
  })
  return { ...network, chains: [rename(first), rename(second)] }
}

const newReceiver = async (authority: Authority): Promise<Receiver> =>
  startReceiver(await authority.issue(['127.0.0.1']))

export const startMemberWorld = async (dollars: TokenNames): Promise<MemberWorld> => {
  const [local, database, authority] = await Promise.all([
    startLocalNetwork({ blockTimeSeconds: 0.25 }),
    createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }], poolSize: 4 }),
    createAuthority(),
  ])
  const network = named(local, dollars)
  const receiver = await newReceiver(authority)
  const webhooks = { ...trustingOptions(authority), retryDelaysSeconds: [0] }
  const plugins = { dashboard: {}, operator: {}, realtime: {}, usage: {}, webhooks }
  const host = await startTestHost({ network, database, plugins })
  return {
    ...{ network, database, host, receiver },
    newKey: async (integrator, label) => {
      const printed = (await runKeyCommand(database.pool, 'api-keys create', [], { integrator, label })).join('\n')
      const [id, apiKey] = ['id', 'key'].map((name) => new RegExp(`^${name}: +(\\S+)$`, 'm').exec(printed)?.[1])
      if (id === undefined || apiKey === undefined) throw new Error('The key was not shown')
      return { id, apiKey }
    },
    close: async () => {
      await host.stop()
      await receiver.close()
      await database.drop()
      await network.close()
    },
  }
}
