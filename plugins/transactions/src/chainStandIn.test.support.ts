import { type ChainAdapter, type ChainConfig, ChainRegistry } from '@causeway/core'

export type Finding = Awaited<ReturnType<ChainAdapter['findTransaction']>>

/** A registry of one chain whose adapter only finds transactions; the adapters themselves are proven in their packages. */
export const registryOf = (chain: {
  readonly id: number
  readonly vmType: string
  find(txId: string): Promise<Finding>
}): ChainRegistry => {
  const adapter: Pick<ChainAdapter, 'vmType' | 'findTransaction'> = {
    vmType: chain.vmType,
    findTransaction: ({ id }) => chain.find(id),
  }
  const config: Pick<ChainConfig, 'id'> = { id: chain.id }
  // CAST: the routes under test use no other member.
  return new ChainRegistry([{ config: config as ChainConfig, adapter: adapter as ChainAdapter }])
}
