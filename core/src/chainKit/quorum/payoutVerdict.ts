import type { Disagreement } from '../../chain/endpoint/endpointHealth.js'
import type { PayoutVerdict } from '../../chain/laneAdapter.js'
import type { JsonRpcEndpoint } from '../endpoints/clients/jsonRpcEndpoint.js'
import { type AskedProviders, askProviders, leastAnswers } from './askProviders.js'

export interface PayoutVerdictDeps<Endpoint = JsonRpcEndpoint> {
  /** One trusted endpoint of each provider, and how many providers are configured. */
  readonly pool: AskedProviders<Endpoint>
  readonly monitor: { report(disagreement: Disagreement): void }
}

/**
 * The verdict of every trusted provider by `judgeOn`. With several providers configured two must say the same, or `agreeing`
 * where that is more, since `dead` lets the money be sent again: what they do not all say is `alive`. Throws ServiceError
 * when too few answer; a contradiction between `dead` and `landed` is reported.
 */
export const agreeOnPayout = async <Endpoint>(
  { txIds, agreeing }: { readonly txIds: readonly string[]; readonly agreeing: number },
  judgeOn: (endpoint: Endpoint) => Promise<PayoutVerdict>,
  { pool, monitor }: PayoutVerdictDeps<Endpoint>,
): Promise<PayoutVerdict> => {
  const verdicts = await askProviders(pool, judgeOn, Math.max(agreeing, leastAnswers(pool)))
  if (verdicts.includes('landed') && verdicts.includes('dead')) {
    const details = 'Some nodes say that it was paid, others that it never can be.'
    monitor.report({ subject: `payout ${txIds.join(' ')}`, details })
  }
  const [first] = verdicts
  return first !== undefined && verdicts.every((verdict) => verdict === first) ? first : 'alive'
}
