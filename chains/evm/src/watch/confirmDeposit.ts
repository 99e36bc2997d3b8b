import {
  type EndpointMonitor,
  type Hex,
  type JsonRpcClient,
  type JsonRpcEndpoint,
  type RpcCall,
  type RpcOutcome,
  resultOf,
  ServiceError,
} from '@causeway/core'
import { headOf } from '../head/headSource.js'
import type { RpcBlock } from '../rpc/wire.js'
import { look, type Place, type Sight, UNSEEN } from './depositLookup.js'

/** Blocks on a deposit after which a node that does not show it denies it, and is not just late. */
const DENIAL_DEPTH = 5

export interface ClaimedDeposit extends Place {
  readonly money: { readonly currency: string; readonly amount: bigint }
  readonly orderId: Hex | null
  readonly height?: bigint
}

export interface ConfirmDeps {
  readonly rpc: JsonRpcClient
  readonly depository: string
  readonly monitor: EndpointMonitor
  readonly settle: number
}

/** What one provider says of a deposit. */
interface Testimony {
  readonly endpoint: JsonRpcEndpoint
  readonly tip: bigint
  /** Height of the block it shows the deposit in; null when it does not. */
  readonly height: bigint | null
}

/**
 * Asks every trusted provider; true when `agreeing` of them show the same deposit, each `confirmations` blocks deep by its own
 * head. Throws when fewer than that answer. Those that show what most others deny are not trusted any more.
 */
export const confirmDeposit = async (
  claim: ClaimedDeposit,
  { agreeing, confirmations = 1 }: { readonly agreeing: number; readonly confirmations?: number },
  deps: ConfirmDeps,
): Promise<boolean> => {
  const confirms = ({ tip, height }: Testimony) => height !== null && tip - height + 1n >= BigInt(confirmations)
  const asked = deps.rpc.providers.map((endpoint) => testify(endpoint, claim, deps.depository))
  const verdict = Promise.allSettled(asked).then((answers) => {
    const testimonies = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    compare(claim, testimonies, deps)
    if (testimonies.length >= agreeing) return testimonies.filter(confirms).length >= agreeing
    throw new ServiceError(
      'SERVICE_UNAVAILABLE',
      'Too few nodes of this chain answer to trust a deposit. Try again later.',
    )
  })
  return Promise.race([verdict, enough(asked, confirms, agreeing)])
}

/** Settles only when so many confirm it: a node that hangs holds nothing up. */
const enough = (asked: readonly Promise<Testimony>[], confirms: (item: Testimony) => boolean, agreeing: number) =>
  new Promise<true>((resolve) => {
    let count = 0
    const see = (item: Testimony): void => {
      if (confirms(item)) count += 1
      if (count >= agreeing) resolve(true)
    }
    for (const answer of asked) answer.then(see, () => undefined)
  })

const testify = async (endpoint: JsonRpcEndpoint, claim: ClaimedDeposit, depository: string): Promise<Testimony> => {
  const ask = (calls: readonly RpcCall[]): Promise<readonly RpcOutcome[]> => endpoint.batch(calls)
  const [[latest], sights] = await Promise.all([
    ask([{ method: 'eth_getBlockByNumber', params: ['latest', false] }]),
    look([claim.tx.id], ask, depository),
  ])
  const sight = sights.get(claim.tx.id) ?? UNSEEN
  const tip = headOf(resultOf<RpcBlock>(latest, 'eth_getBlockByNumber')).height
  return { endpoint, tip, height: shows(sight, claim) ? (sight.block?.height ?? null) : null }
}

const shows = ({ deposits }: Sight, claim: ClaimedDeposit): boolean => {
  const deposit = deposits[claim.position]
  return (
    deposit !== undefined &&
    deposit.money.currency === claim.money.currency &&
    deposit.money.amount === claim.money.amount &&
    deposit.orderId === claim.orderId
  )
}

/** Tells of providers that contradict each other: one must be wrong, and the money waits meanwhile (faults.md F05). */
const compare = (claim: ClaimedDeposit, testimonies: readonly Testimony[], { monitor, settle }: ConfirmDeps): void => {
  const showing = testimonies.filter(({ height }) => height !== null)
  const height = showing[0]?.height ?? claim.height
  if (height === undefined) return
  const depth = BigInt(Math.min(settle, DENIAL_DEPTH))
  const denying = testimonies.filter((item) => item.height === null && item.tip >= height + depth)
  if (denying.length === 0) return
  const details = `shown by ${namesOf(showing)}; denied by ${namesOf(denying)}`
  monitor.report({ subject: `deposit ${claim.tx.id} ${claim.position}`, details })
  if (denying.length < 2 || denying.length <= showing.length) return
  for (const { endpoint } of showing) monitor.caughtLying(endpoint, 'It shows a deposit that most providers deny.')
}

const namesOf = (testimonies: readonly Testimony[]): string =>
  testimonies.map(({ endpoint }) => endpoint.name).join(', ') || 'none'
