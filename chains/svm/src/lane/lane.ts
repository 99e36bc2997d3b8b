import type { ChainConfig } from '@causeway/core/chain'
import {
  type EndpointMonitor,
  type JsonRpcEndpoint,
  JUMP_BLOCKS,
  SequenceLane,
  SequenceValidity,
} from '@causeway/core/chain-kit'
import { readMoment, VALID_BLOCKS } from './laneMoment.js'
import { SvmPayments, type SvmPaymentsDeps } from './svmPayments.js'

export interface SvmLaneDeps extends SvmPaymentsDeps {
  readonly confirmations: Pick<ChainConfig['confirmations'], 'settle'>
  readonly monitor: Pick<EndpointMonitor, 'report'>
}

/**
 * Payments of one account. Numbers are the lane's own, in the memos; the blockhash of a payment says until when it can land. There is no
 * replacement: the same bytes are sent until they land or their blockhash has expired at finality.
 */
export const svmLane = (deps: SvmLaneDeps): SequenceLane<JsonRpcEndpoint> => {
  const { rpc, heads, monitor, requests, confirmations } = deps
  const validity = new SequenceValidity({
    pool: rpc,
    moment: (node: JsonRpcEndpoint) => readMoment(node, 'processed'),
    longestLifetime: VALID_BLOCKS,
    known: async () => (await heads.tip()).blockHeight,
    ahead: JUMP_BLOCKS,
  })
  return new SequenceLane({
    chain: new SvmPayments(deps),
    pool: rpc,
    monitor,
    order: { kind: 'free', until: () => BigInt(heads.recent.lastValidBlockHeight) },
    lifetime: VALID_BLOCKS,
    settle: confirmations.settle,
    newest: () => heads.latest?.blockHeight ?? null,
    extras: {
      // In memo form the depository's own key signs withdrawals beside the solver's.
      cosigns: requests === null,
      validity,
      ...(requests === null
        ? {}
        : { authorizeWithdrawal: (request, allocator) => requests.authorize(request, allocator) }),
    },
  })
}
