import type { DepositEvent } from '../../chain/chainAdapter.js'
import type { ChainMoney, TxRef } from '../../chain/chainReferences.js'
import type { Disagreement } from '../../chain/endpoint/endpointHealth.js'
import { ServiceError } from '../../errors/serviceError.js'
import type { Hex } from '../../money/hex.js'
import type { JsonRpcEndpoint } from '../endpoints/clients/jsonRpcEndpoint.js'
import { askProvider, type ProviderEndpoints } from './askProvider.js'

/** A deposit as it was seen, for others to confirm. */
export interface ClaimedDeposit {
  readonly tx: TxRef
  readonly position: number
  readonly money: ChainMoney
  readonly orderId: Hex | null
  /** Height of its block as it was first seen. */
  readonly height?: bigint
}

/** What one provider says of a deposit. */
export interface DepositVote {
  /** Height of the block it shows the deposit in; null when it does not. */
  readonly height: bigint | null
  /** Whether it shows the deposit deep enough. */
  readonly confirms: boolean
  /** Up to this height it has everything: a deposit there that it does not show, it denies, and is not just late. */
  readonly complete: bigint
}

/** An endpoint of any kind of API. */
export interface NamedEndpoint {
  readonly name: string
}

export interface DepositVoteDeps<Endpoint extends NamedEndpoint = JsonRpcEndpoint> {
  /** One trusted endpoint of each provider. */
  readonly pool: { readonly providers: readonly Endpoint[] } & ProviderEndpoints<Endpoint>
  readonly monitor: {
    report(disagreement: Disagreement): void
    distrust(endpoint: Endpoint, reason: string): void
  }
}

interface NamedVote<Endpoint extends NamedEndpoint> extends DepositVote {
  readonly endpoint: Endpoint
}

/**
 * Asks every trusted provider; true when `agreeing` of them confirm the same deposit. Throws ServiceError when fewer than that
 * answer. Those that show what most others deny are not trusted any more.
 */
export const confirmByProviders = async <Endpoint extends NamedEndpoint>(
  claim: ClaimedDeposit,
  agreeing: number,
  voteOf: (endpoint: Endpoint) => Promise<DepositVote>,
  deps: DepositVoteDeps<Endpoint>,
): Promise<boolean> => {
  const { pool } = deps
  const ask = async (endpoint: Endpoint) => ({ endpoint, ...(await voteOf(endpoint)) })
  const asked = pool.providers.map((endpoint) => askProvider(pool, endpoint, ask))
  const verdict = Promise.allSettled(asked).then((answers) => {
    const votes = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    compare(claim, votes, deps)
    if (votes.length >= agreeing) return votes.filter(({ confirms }) => confirms).length >= agreeing
    throw new ServiceError(
      'SERVICE_UNAVAILABLE',
      'Too few nodes of this chain answer to trust a deposit. Try again later.',
    )
  })
  return Promise.race([verdict, enough(asked, agreeing)])
}

/** Whether what a node shows at the deposit's place is that deposit. */
export const isClaimed = (shown: DepositEvent | undefined, { money, orderId }: ClaimedDeposit): boolean =>
  shown !== undefined &&
  shown.money.currency === money.currency &&
  shown.money.amount === money.amount &&
  shown.orderId === orderId

/** Settles only when so many confirm it: a node that hangs holds nothing up. */
const enough = (asked: readonly Promise<DepositVote>[], agreeing: number): Promise<true> =>
  new Promise<true>((resolve) => {
    let count = 0
    const see = ({ confirms }: DepositVote): void => {
      if (confirms) count += 1
      if (count >= agreeing) resolve(true)
    }
    for (const answer of asked) answer.then(see, () => undefined)
  })

/** Tells of providers that contradict each other: one must be wrong, and the money waits meanwhile (faults.md F05). */
const compare = <Endpoint extends NamedEndpoint>(
  claim: ClaimedDeposit,
  votes: readonly NamedVote<Endpoint>[],
  { monitor }: DepositVoteDeps<Endpoint>,
): void => {
  const showing = votes.filter(({ height }) => height !== null)
  const height = showing[0]?.height ?? claim.height
  if (height === undefined) return
  const denying = votes.filter((item) => item.height === null && item.complete >= height)
  if (denying.length === 0) return
  const details = `shown by ${namesOf(showing)}; denied by ${namesOf(denying)}`
  monitor.report({ subject: `deposit ${claim.tx.id} ${claim.position}`, details })
  if (denying.length < 2 || denying.length <= showing.length) return
  for (const { endpoint } of showing) monitor.distrust(endpoint, 'It shows a deposit that most providers deny.')
}

const namesOf = (votes: readonly NamedVote<NamedEndpoint>[]): string =>
  votes.map(({ endpoint }) => endpoint.name).join(', ') || 'none'
