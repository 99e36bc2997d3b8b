import type { OpenDecision, UnsettledCap } from '@causeway/core/money-path'
import { type Chain, parseUsd, usdValue } from '@causeway/core/plugin'
import type { LaneContext } from '../laneContext.js'

/** The caps of the chains that deposits came from; a chain without one has none. Prices come from the cache that decisions use. */
export const unsettledCaps = async (
  lane: LaneContext,
  open: readonly OpenDecision[],
): Promise<readonly UnsettledCap[]> => {
  const chainIds = new Set(open.map(({ deposit }) => deposit.chainId))
  const caps = await Promise.all([...chainIds].map((chainId) => capOf(lane, lane.chains.find(chainId))))
  return caps.filter((cap) => cap !== null)
}

/** Undefined where the chain has none. */
export const unsettledCapOf = async (lane: LaneContext, chainId: number): Promise<UnsettledCap | undefined> =>
  (await capOf(lane, lane.chains.find(chainId))) ?? undefined

const capOf = async ({ currencies, prices }: LaneContext, chain: Chain | undefined): Promise<UnsettledCap | null> => {
  // Nothing is decided on deposits of a chain that nobody configured.
  if (chain === undefined) return null
  const { config } = chain
  const usd = parseUsd(config.limits?.unsettledUsd ?? null)
  if (usd === null) return null
  const held = currencies.ofChain(config.id)
  const found = await Promise.all(held.map((currency) => prices.get([currency]).catch(() => [])))
  const priced = new Map(held.map((currency, at) => [currency.address, { currency, price: found[at]?.[0] }]))
  return {
    chainId: config.id,
    usd,
    settle: config.confirmations.settle,
    worth: (address, amount) => {
      const known = priced.get(address)
      return known?.price === undefined ? null : usdValue({ currency: known.currency, amount }, known.price.usd)
    },
  }
}
