import { LocalTon } from '@causeway/chain-tonvm/testing'
import { startHostProcess } from '../../harness/host/hostProcess.js'
import { createApiKey } from '../../harness/host/operatorCommand.js'
import type { Quote } from '../../transfers/apiClient.js'
import { UserClient } from '../../transfers/userClient.js'
import type { BenchWorld } from '../benchWorld.js'
import type { Measurement } from '../table.js'
import { depositMessage } from './deposits.js'
import { startTonWorld, type TonWorld } from './tonWorld.js'

const FILLS = 100
const NANOTONS = 20_000_000_000n
const MAX_CALLS = 4
const END_MS = 120_000

/** Calls that a network costs however much is paid: heads. */
const PER_BLOCK = new Set(['getMasterchainInfo', 'getBlockHeader'])

/** (z) Deposits of one block that are filled by one key: how many, in how many requests of its wallet, at how many calls. */
export const measureBurst = async (world: BenchWorld): Promise<Measurement[]> => {
  const count = world.scale.rounds > 1 ? FILLS : FILLS / 5
  world.say(`a burst of ${count} fills on TON`)
  const ton = await startTonWorld({})
  try {
    const { filled, requests, calls, seconds } = await fillAtOnce(world, ton, count)
    return [
      {
        case: 'z',
        what: `filled of a burst of ${count} on TON`,
        unit: 'fills',
        value: filled,
        target: { of: 'value', limit: count, better: 'more' },
      },
      { case: 'z', what: `requests of the wallet for ${count} fills on TON`, unit: 'requests', value: requests },
      { case: 'z', what: `start of the solver until ${count} fills on TON succeeded`, unit: 's', value: seconds },
      {
        case: 'z',
        what: 'calls of a fill on TON',
        unit: 'calls',
        value: calls / count,
        target: { of: 'value', limit: MAX_CALLS, better: 'less' },
      },
    ]
  } finally {
    await ton.close()
  }
}

const fillAtOnce = async ({ createDatabase, scale }: BenchWorld, ton: TonWorld, count: number) => {
  const databaseUrl = await createDatabase()
  const { origin, destination, proxies } = ton
  const direct = { network: ton.host, databaseUrl, longLife: scale.longLife, solver: { withdrawals: false } }
  const front = await startHostProcess({ ...direct, roles: ['api', 'watcher'] })
  const apiKey = await createApiKey(direct)
  const client = await UserClient.open(ton, { url: front.url, apiKey })
  // Quotes need an inventory, which a solver reads: one runs for a moment.
  const first = await startHostProcess({ ...direct, roles: ['solver'] })
  const request = { from: origin.id, to: destination.id, symbol: 'TON', amount: NANOTONS }
  const quotes: Quote[] = []
  for (let at = 0; at < count; at += 1) quotes.push(await client.quote(request))
  await stop(first)
  await depositAll(ton, client, quotes)
  for (const { requestId } of quotes) await client.waitFor(requestId, ['pending'], END_MS)
  const startedAt = performance.now()
  const before = await sentBy(ton)
  const solver = await startHostProcess({ ...direct, network: ton.proxied, roles: ['solver'] })
  for (const { requestId } of quotes) await client.waitFor(requestId, ['success'], END_MS)
  const seconds = (performance.now() - startedAt) / 1_000
  const calls = [...proxies.calls].reduce((sum, [method, times]) => sum + (PER_BLOCK.has(method) ? 0 : times), 0)
  const after = await sentBy(ton)
  await stop(solver)
  await stop(front)
  return { filled: after.messages - before.messages, requests: after.requests - before.requests, calls, seconds }
}

const stop = async (host: Awaited<ReturnType<typeof startHostProcess>>): Promise<void> => {
  host.signal('SIGTERM')
  await host.ended
}

const depositAll = async ({ origin }: TonWorld, client: UserClient, quotes: readonly Quote[]): Promise<void> => {
  if (!(origin.local instanceof LocalTon)) throw new Error('The origin is no local TON network')
  const parties = { from: client.userAddress(origin.id, 0), to: origin.deployment.depository, amount: NANOTONS }
  await origin.local.apply(
    ...quotes.map(({ protocol }) => depositMessage({ ...parties, orderId: protocol.v2.orderId })),
  )
}

interface Listed {
  readonly result: readonly { readonly out_msgs: readonly unknown[] }[]
}

/** Requests that the solver's wallet took, and messages that it sent. */
const sentBy = async ({ destination }: TonWorld) => {
  const query = new URLSearchParams({ address: destination.payout.address, limit: '100' })
  const response = await fetch(`${destination.local.endpoint.http}/api/v2/getTransactions?${query}`)
  // CAST: the shape of toncenter's API.
  const { result } = (await response.json()) as Listed
  const messages = result.map(({ out_msgs }) => out_msgs.length).filter((sent) => sent > 0)
  return { requests: messages.length, messages: messages.reduce((sum, sent) => sum + sent, 0) }
}
