import type { ChainDeps } from '../../chain/chainPackage.js'
import { ServiceError } from '../../errors/serviceError.js'

/** An endpoint as whoever starts a chain sees it. */
export interface StartedEndpoint {
  readonly name: string
  /** Why nothing it says is believed, else null. */
  readonly distrust: string | null
}

export interface RequireUsableDeps<Endpoint extends StartedEndpoint> {
  readonly chainId: number
  readonly endpoints: readonly Endpoint[]
  readonly logger: ChainDeps['logger']
  /** A question that any endpoint of this chain answers; it throws where one is away, or of another chain. */
  ask(endpoint: Endpoint): Promise<unknown>
  /** Compares the endpoints with each other once. */
  compare(): Promise<void>
}

/**
 * Asks every endpoint once, side by side with comparing them, and logs those that are of no use.
 * @throws ServiceError SERVICE_UNAVAILABLE when none both answers and is trusted
 */
export const requireUsable = async <Endpoint extends StartedEndpoint>(
  deps: RequireUsableDeps<Endpoint>,
): Promise<void> => {
  const { chainId, endpoints, logger } = deps
  const [answers] = await Promise.all([
    Promise.allSettled(endpoints.map(async (endpoint) => deps.ask(endpoint))),
    deps.compare(),
  ])
  const reasons = answers.flatMap((answer, at) => {
    if (answer.status === 'fulfilled') return []
    logger.error({ endpoint: endpoints[at]?.name, err: answer.reason }, 'A node of this chain is not usable')
    return [answer.reason]
  })
  const isUsable = ({ distrust }: StartedEndpoint, at: number) =>
    answers[at]?.status === 'fulfilled' && distrust === null
  if (endpoints.some(isUsable)) return
  throw new ServiceError('SERVICE_UNAVAILABLE', `No node of chain ${chainId} is usable.`, { cause: reasons[0] })
}
