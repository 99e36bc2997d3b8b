import { ServiceError } from '../errors/serviceError.js'
import type { EndpointMonitor } from '../rpc/endpointMonitor.js'
import type { JsonRpcClient } from '../rpc/jsonRpcClient.js'
import type { JsonRpcEndpoint } from '../rpc/jsonRpcEndpoint.js'

/** What became of a payment: it can never land, it still may, or it did. */
export type PayoutVerdict = 'dead' | 'alive' | 'landed'

export interface PayoutVerdictDeps {
  readonly rpc: JsonRpcClient
  readonly monitor: Pick<EndpointMonitor, 'report'>
}

/**
 * The verdict of every trusted provider by `judgeOn`. With several providers configured two must say the same, or `agreeing`
 * where that is more, since `dead` lets the money be sent again: what they do not all say is `alive`. Throws ServiceError
 * when too few answer; a contradiction between `dead` and `landed` is reported.
 */
export const agreeOnPayout = async (
  { txIds, agreeing }: { readonly txIds: readonly string[]; readonly agreeing: number },
  judgeOn: (endpoint: JsonRpcEndpoint) => Promise<PayoutVerdict>,
  { rpc, monitor }: PayoutVerdictDeps,
): Promise<PayoutVerdict> => {
  const needed = Math.max(agreeing, Math.min(2, rpc.providerCount))
  const answers = await Promise.allSettled(rpc.providers.map(judgeOn))
  const verdicts = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  if (verdicts.length < needed) {
    throw new ServiceError('SERVICE_UNAVAILABLE', 'Too few nodes of this chain answer. Try again later.')
  }
  if (verdicts.includes('landed') && verdicts.includes('dead')) {
    const details = 'Some nodes say that it was paid, others that it never can be.'
    monitor.report({ subject: `payout ${txIds.join(' ')}`, details })
  }
  const [first] = verdicts
  return first !== undefined && verdicts.every((verdict) => verdict === first) ? first : 'alive'
}
