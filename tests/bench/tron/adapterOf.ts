import { type TronAdapter, type TronOptions, tronAdapter } from '@causeway/chain-tvm'
import { environmentOf, systemClock } from '@causeway/core'
import type { RpcEndpoint } from '@causeway/core/chain'
import { pino } from 'pino'

/** An adapter of one node, which its caller starts. */
export const adapterOf = (
  options: TronOptions,
  { id, endpoint }: { readonly id: number; readonly endpoint: RpcEndpoint },
): TronAdapter =>
  tronAdapter(options, {
    config: {
      ...{ id, slug: 'cove', name: 'cove', package: '@causeway/chain-tvm', rpc: [endpoint] },
      ...{ currencies: [], confirmations: { fill: 1, success: 1, settle: 0, settleSeconds: 0 } },
      ...{ solver: options.depository, enabled: true, options: {} },
    },
    ...{ clock: systemClock, logger: pino({ level: 'silent' }), environment: environmentOf({}) },
  })
