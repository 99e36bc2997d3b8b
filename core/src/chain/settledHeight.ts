import type { Chain } from './chainRegistry.js'

/** Newest height whose money is final: as deep as `confirmations.settle` says and, where the chain says it itself, final there. */
export const settledHeight = async ({ adapter, config }: Chain, tip: bigint): Promise<bigint> => {
  const deep = tip - BigInt(config.confirmations.settle)
  const final = (await adapter.finalHeight?.()) ?? deep
  return final < deep ? final : deep
}
