import { randomBytes } from 'node:crypto'
import type { NetworkChain } from '../harness/localNetwork.js'
import type { BenchWorld } from './benchWorld.js'

const RETURNING_USERS = 50

export const freshUser = (): string => `0x${randomBytes(20).toString('hex')}`

/** Between the two chains: USDC to USDC, or with a token that only pools know on one side or on both. */
export const ROUTES = ['bridge', 'swap on the origin', 'swap on the destination', 'swaps on both'] as const
export type Route = (typeof ROUTES)[number]

const unlistedOf = ({ unlisted }: NetworkChain): string => {
  if (unlisted === undefined) throw new Error('The chain has no pools')
  return unlisted
}

/** JSON text of a quote's body: ten USDC or ten of the unlisted token, from the first chain to the second. */
export const quoteBody = ({ network }: BenchWorld, route: Route, user: string): string => {
  const [harbor, lagoon] = network.chains
  const swapsOrigin = route === 'swap on the origin' || route === 'swaps on both'
  const swapsDestination = route === 'swap on the destination' || route === 'swaps on both'
  return JSON.stringify({
    user,
    recipient: user,
    originChainId: harbor.chain.chainId,
    destinationChainId: lagoon.chain.chainId,
    originCurrency: swapsOrigin ? unlistedOf(harbor) : harbor.usdc,
    destinationCurrency: swapsDestination ? unlistedOf(lagoon) : lagoon.usdc,
    amount: swapsOrigin ? (10n * 10n ** 18n).toString() : '10000000',
    tradeType: 'EXACT_INPUT',
  })
}

/** Bodies of quotes by users the service has not seen or by some that come back. */
export const quoteBodies = (world: BenchWorld, route: Route = 'bridge') => {
  const returning = Array.from({ length: RETURNING_USERS }, freshUser)
  return {
    fresh: () => quoteBody(world, route, freshUser()),
    returning: (index: number) => quoteBody(world, route, returning[index % RETURNING_USERS] ?? freshUser()),
  }
}

/** Asks once; throws unless it was quoted. Returns the answer's text. */
export const askQuote = async (url: string, body: string): Promise<string> => {
  const response = await fetch(`${url}/quote`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`A quote was refused: ${response.status} ${text}`)
  return text
}
