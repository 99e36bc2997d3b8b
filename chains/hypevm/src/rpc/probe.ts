import type { ChainDeps } from '@causeway/core/chain'
import {
  EndpointPool,
  type EndpointProbe,
  keptAnswers,
  openEndpoints,
  otherChain,
  RestClient,
} from '@causeway/core/chain-kit'
import type { HypeSettings } from '../options.js'
import { askedOf, type ExchangePool } from './exchangeNode.js'
import { askUpdatesAt } from './ledgerUpdates.js'
import { askTime } from './status.js'
import { askUsdc } from './tokens.js'

/** How far an API server may be behind the others, milliseconds. */
export const LAG_MS = 15_000n
/** How far no honest server is ahead of most others, milliseconds. */
const AHEAD_MS = 60_000n
/** A server does not move to another network. */
const IDENTITY_MS = 600_000

/** The API servers of a network, each identified by its spot USDC before its first answer is used. */
export const openExchange = (
  { config, logger }: Pick<ChainDeps, 'config' | 'logger'>,
  { rpcTimeoutMs: timeoutMs, spotUsdc }: Pick<HypeSettings, 'rpcTimeoutMs' | 'spotUsdc'>,
): ExchangePool =>
  new EndpointPool({
    logger,
    endpoints: openEndpoints<RestClient>(config.rpc, {
      open: ({ http }) => new RestClient({ url: http, timeoutMs }),
      identify: (rest, signal) => isOfNetwork(rest, signal, spotUsdc),
      close: (rest) => rest.close(),
    }),
  })

/** What the servers of a network must have in common. */
export type ProbeTerms = Pick<HypeSettings, 'spotUsdc' | 'depository'>

const isOfNetwork = async (rest: RestClient, signal: AbortSignal, spotUsdc: string) => {
  const found = await askUsdc(askedOf(rest, signal))
  return found === spotUsdc || { serves: found ?? 'no USDC' }
}

/** Below this depth honest servers list the same, milliseconds. */
const DEPTH_MS = 30_000n
/** Part of the depository's list that servers are compared by, milliseconds. */
const COMPARED_MS = 3_600_000
const NOTHING = `0x${'0'.repeat(64)}`

/** Servers show no blocks, so they are compared by the depository's list: the newest hash of an answer about an hour. */
export const exchangeProbe = ({ spotUsdc, depository }: ProbeTerms): EndpointProbe<RestClient> => {
  const identities = new WeakMap<RestClient, () => ReturnType<typeof isOfNetwork>>()
  const identityOf = (rest: RestClient, signal: AbortSignal) => {
    const known = identities.get(rest) ?? keptAnswers(IDENTITY_MS, () => isOfNetwork(rest, signal, spotUsdc))
    identities.set(rest, known)
    return known()
  }
  return {
    unit: 'millisecond',
    head: async (rest, signal) => {
      const [network, time] = await Promise.all([identityOf(rest, signal), askTime(askedOf(rest, signal))])
      if (network !== true) throw otherChain(network.serves)
      const height = BigInt(time)
      return { height, progress: height, comparable: height, time: Math.floor(time / 1000) }
    },
    hashAt: async (rest, height, signal) => {
      const upTo = Number(height)
      const range = { user: depository, from: Math.max(upTo - COMPARED_MS, 0), upTo }
      const { updates } = await askUpdatesAt(askedOf(rest, signal), range, { seen: [] })
      return updates.at(-1)?.hash ?? NOTHING
    },
    depth: DEPTH_MS,
    final: true,
    maxAhead: AHEAD_MS,
    lag: { limit: LAG_MS, reason: 'Its clock is far behind that of the others.' },
  }
}
