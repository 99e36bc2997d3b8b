import type { Capabilities, ChainAdapter, ChainConfig } from '@causeway/core/chain'
import { ChainRegistry } from '@causeway/core/plugin'

export type Finding = Awaited<ReturnType<ChainAdapter['findTransaction']>>

/** A registry of one chain whose adapter only finds transactions; the adapters themselves are proven in their packages. */
export const registryOf = (chain: {
  readonly id: number
  /** Whether it shows what is in no block yet. */
  readonly mempoolVisibility?: boolean
  /** Absent: it takes `0x` and 64 hex digits. */
  readonly declaresNoForm?: boolean
  find(txId: string): Promise<Finding>
}): ChainRegistry => {
  const form: Pick<ChainAdapter, 'checkTransactionId'> = {
    checkTransactionId: (text) =>
      /^0x[0-9a-f]{64}$/i.test(text)
        ? { ok: true, canonical: text.toLowerCase() }
        : { ok: false, form: '0x and 64 hex digits' },
  }
  const adapter: Pick<ChainAdapter, 'findTransaction'> & {
    readonly capabilities: Pick<Capabilities, 'mempoolVisibility'>
  } = {
    ...(chain.declaresNoForm === true ? {} : form),
    capabilities: { mempoolVisibility: chain.mempoolVisibility ?? false },
    findTransaction: ({ id }) => chain.find(id),
  }
  const config: Pick<ChainConfig, 'id'> = { id: chain.id }
  // CAST: the routes under test use no other member.
  return new ChainRegistry([{ config: config as ChainConfig, adapter: adapter as ChainAdapter }])
}
