import { createHash, randomBytes } from 'node:crypto'
import { bytesToHex } from '@causeway/core'
import type { MatrixKind } from '../../transfers/matrixCells.js'
import type { startChains } from '../../transfers/matrixChains.js'
import { startScript } from '../benchWorld.js'
import type { ListeningProxies } from './listeningProxies.js'

interface Options {
  readonly kind: MatrixKind
  readonly chains: Awaited<ReturnType<typeof startChains>>
  readonly proxies: ListeningProxies
  readonly pollMs: number
  readonly tinybars: bigint
}

/** A script that pays on the second network for what arrives on the first, behind the same proxies; `one` is the milliseconds of one. */
export const startPayoutFloor = async ({ kind, chains, proxies, pollMs, tinybars }: Options) => {
  const [origin, destination] = chains
  const [user] = origin?.users ?? []
  if (origin === undefined || destination === undefined || user === undefined)
    throw new Error('There are no two networks')
  const payer = kind.testing.keyOf(createHash('sha256').update('payer of the script').digest())
  await destination.local.fund(payer.address, 100_000n * tinybars)
  const mirror = await proxies.mirror(destination.local.endpoint.http)
  const till = await kind.testing.readChain(origin.local).freshAddress()
  const script = startScript('hedera/payoutFloor.js', [
    JSON.stringify({
      ...{ origin: await proxies.mirror(origin.local.endpoint.http), till, pollMs, tinybars: tinybars.toString() },
      nodes: await nodesAt(mirror),
      ...{ payer: await accountAt(mirror, payer.address), privateKey: payer.privateKey },
      recipient: await kind.testing.readChain(destination.local).freshAddress(),
    }),
  ])
  await script.said('ready')
  const wallet = kind.testing.openWallet(origin.local, user.walletKey)
  return {
    one: async (): Promise<number> => {
      const memo = bytesToHex(randomBytes(32))
      const passed = proxies.passed(memo)
      const transfers = [
        { accountId: await accountAt(origin.local.endpoint.http, user.address), amount: `-${tinybars}` },
        { accountId: till, amount: tinybars.toString() },
      ]
      const deposit = await wallet.prepare([{ items: [{ data: { transfers, memo } }] }])
      await deposit.send()
      const { answered, sent } = await passed
      return sent - answered
    },
    close: script.stop,
  }
}

const asked = async (url: string): Promise<unknown> => (await fetch(url)).json()

/** Consensus nodes that a mirror node names, as the SDK takes them. */
const nodesAt = async (mirror: string): Promise<Record<string, string>> => {
  // CAST: the shape of the mirror API.
  const { nodes } = (await asked(`${mirror}/api/v1/network/nodes`)) as {
    readonly nodes: readonly {
      readonly node_account_id: string
      readonly service_endpoints: readonly { readonly ip_address_v4: string; readonly port: number }[]
    }[]
  }
  return Object.fromEntries(
    nodes.flatMap(({ node_account_id, service_endpoints }) =>
      service_endpoints.map(({ ip_address_v4, port }) => [`${ip_address_v4}:${port}`, node_account_id]),
    ),
  )
}

const accountAt = async (mirror: string, address: string): Promise<string> => {
  // CAST: the shape of the mirror API.
  const { account } = (await asked(`${mirror}/api/v1/accounts/${address}?transactions=false`)) as {
    readonly account: string
  }
  return account
}
