import { expect } from 'vitest'
import { type HostNetwork, type HostProcess, spawnHost, startHostProcess } from '../harness/host/hostProcess.js'
import { createApiKey } from '../harness/host/operatorCommand.js'
import type { Quote } from '../transfers/apiClient.js'
import { UserClient, type UserNetwork, type UserRequest } from '../transfers/userClient.js'
import { MONEY } from './killPlaces.js'

type Purpose = 'fill' | 'refund' | 'withdraw'

export interface VmKillWalk {
  readonly network: UserNetwork & { readonly host: HostNetwork }
  readonly databaseUrl: string
  readonly places: readonly string[]
  /** How many chains must have come to a failpoint before a host dies there; absent: the first does. */
  readonly together?: number
  /** Takes every host that is started; the caller ends them. */
  readonly running: HostProcess[]
  /** Requests whose money passes the failpoints of a purpose; they are paid before the first host that dies there. */
  readonly requests: Readonly<Record<Purpose, readonly UserRequest[]>>
  /** Requests that are quoted with the others and left to the caller. */
  readonly unpaid?: readonly UserRequest[]
}

export interface WalkedOrder {
  readonly quote: Quote
  readonly request: UserRequest
  readonly end: 'success' | 'refund'
}

export interface WalkedKills {
  readonly orders: readonly WalkedOrder[]
  readonly unpaid: readonly Quote[]
  readonly apiKey: string
  /** The host that finished what the killed ones left. */
  readonly last: HostProcess
  /** Asks the last host. */
  readonly client: UserClient
}

const FORCED_REFUND = { referrer: 'debug-force-refund' }

/** A request that the host refunds, whose deposit it therefore withdraws too. */
export const refunded = (request: UserRequest): UserRequest => ({
  ...request,
  more: { ...request.more, ...FORCED_REFUND },
})

export const kill = async (host: HostProcess): Promise<void> => {
  host.signal('SIGKILL')
  await host.ended
}

/**
 * Hosts die one after the other at each failpoint, those of one purpose over the same orders. Resolves when a last host has finished every
 * order.
 */
export const walkKills = async (walk: VmKillWalk): Promise<WalkedKills> => {
  const { network, databaseUrl, places, requests, running } = walk
  // Deposits of some chains are linked to their orders by POST /authorize.
  const morePlugins = [{ package: '@causeway/plugin-gasless', options: {} }]
  const options = { network: network.host, databaseUrl, morePlugins }
  const quoting = await startHostProcess(options)
  running.push(quoting)
  const apiKey = await createApiKey(options)
  const first = await UserClient.open(network, { url: quoting.url, apiKey })
  const purposes = (['fill', 'refund', 'withdraw'] as const).map((purpose) => ({
    purpose,
    own: places.filter((name) => name.startsWith(`${purpose}.`)),
  }))
  const quoteAll = (list: readonly UserRequest[]) =>
    Promise.all(
      list.map(async (request) => {
        const quote = await first.quote(request)
        // No host takes a signature when the deposit is sent.
        const isSigned = quote.steps.some(({ kind }) => kind === 'signature')
        return { request, quote, deposit: isSigned ? await first.prepare(quote, request) : null }
      }),
    )
  const quoted = new Map<Purpose, Awaited<ReturnType<typeof quoteAll>>>()
  for (const { purpose, own } of purposes) if (own.length > 0) quoted.set(purpose, await quoteAll(requests[purpose]))
  const unpaid = (await quoteAll(walk.unpaid ?? [])).map(({ quote }) => quote)
  await kill(quoting)

  const orders: WalkedOrder[] = []
  for (const { purpose, own } of purposes) {
    for (const { quote, request, deposit } of quoted.get(purpose) ?? []) {
      await (deposit === null ? first.pay(quote, request) : deposit.send())
      orders.push({ quote, request, end: purpose === 'fill' ? 'success' : 'refund' })
    }
    for (const failpoint of own) {
      const host = await spawnHost({ ...options, roles: MONEY, failpoint: `${failpoint}*${walk.together ?? 1}` })
      running.push(host)
      expect(await host.ended, `at ${failpoint}: ${host.log().slice(-500)}`).toBe('SIGKILL')
    }
  }
  const last = await startHostProcess(options)
  running.push(last)
  const client = await UserClient.open(network, { url: last.url, apiKey })
  await Promise.all(orders.map(({ quote, end }) => client.waitFor(quote.requestId, [end], 120_000)))
  return { orders, unpaid, apiKey, last, client }
}
