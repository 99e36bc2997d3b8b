import { smaller } from '../money/compare.js'
import type { ChainAdapter } from './chainAdapter.js'
import type { Chain } from './chainRegistry.js'

/** Newest height whose money is final: as deep as `confirmations.settle` says and, where the chain says it itself, final there. */
export const settledHeight = async ({ adapter, config }: Chain, tip: bigint): Promise<bigint> => {
  const deep = tip - BigInt(config.confirmations.settle)
  const final = (await adapter.finalHeight?.()) ?? deep
  return final < deep ? final : deep
}

/**
 * The newest height, up to `tip`, that a second provider has shown too: by a height that one node invented nothing is final (faults.md
 * F131). It is `tip` where fewer than two providers answer.
 */
export const witnessedHeight = (adapter: Pick<ChainAdapter, 'endpoints'>, tip: bigint): bigint => {
  const heads = new Map<string, bigint>()
  for (const { provider, state, head } of adapter.endpoints?.() ?? []) {
    if (head === undefined || state === 'down' || state === 'distrusted') continue
    const height = BigInt(head)
    if (height > (heads.get(provider) ?? -1n)) heads.set(provider, height)
  }
  const [, second = tip] = [...heads.values()].sort((left, right) => (left > right ? -1 : 1))
  return smaller(second, tip)
}
