import { type EndpointMonitor, type Hex, type JsonRpcClient, type JsonRpcEndpoint, ServiceError } from '@causeway/core'
import { bindTo } from './boundNode.js'
import { look, type Place, type Sight, UNSEEN } from './depositLookup.js'
import type { DepositForm } from './readDeposits.js'

export interface ClaimedDeposit extends Place {
  readonly money: { readonly currency: string; readonly amount: bigint }
  readonly orderId: Hex | null
  readonly height?: bigint
}

export interface ConfirmDeps extends DepositForm {
  readonly rpc: JsonRpcClient
  readonly monitor: EndpointMonitor
  /** Confirmations that only a finalized transaction has. */
  readonly settle: number
}

/** What one provider says of a deposit. */
interface Testimony {
  readonly endpoint: JsonRpcEndpoint
  readonly confirmed: bigint
  readonly finalized: bigint
  /** Slot it shows the deposit in; null when it does not. */
  readonly slot: bigint | null
}

/**
 * Asks every trusted provider; true when `agreeing` of them show the same deposit, each `confirmations` slots deep by its own
 * head, and finalized from `settle` on. Throws when fewer than that answer. Those that show what most others deny are not
 * trusted any more.
 */
export const confirmDeposit = async (
  claim: ClaimedDeposit,
  { agreeing, confirmations = 1 }: { readonly agreeing: number; readonly confirmations?: number },
  deps: ConfirmDeps,
): Promise<boolean> => {
  const final = confirmations >= deps.settle
  const confirms = ({ slot, confirmed, finalized }: Testimony) =>
    slot !== null && (final ? slot <= finalized : confirmed - slot + 1n >= BigInt(confirmations))
  const asked = deps.rpc.providers.map((endpoint) => testify(endpoint, claim, deps))
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

const testify = async (endpoint: JsonRpcEndpoint, claim: ClaimedDeposit, form: DepositForm): Promise<Testimony> => {
  const { confirmed, finalized, sights } = await look([claim.tx.id], bindTo(endpoint).ask, form)
  const sight = sights.get(claim.tx.id) ?? UNSEEN
  return { endpoint, confirmed, finalized, slot: shows(sight, claim) ? (sight.block?.height ?? null) : null }
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
const compare = (claim: ClaimedDeposit, testimonies: readonly Testimony[], { monitor }: ConfirmDeps): void => {
  const showing = testimonies.filter(({ slot }) => slot !== null)
  const slot = showing[0]?.slot ?? claim.height
  if (slot === undefined) return
  // Below its final slot a node has everything: one that does not show the deposit there is not just late.
  const denying = testimonies.filter((item) => item.slot === null && item.finalized >= slot)
  if (denying.length === 0) return
  const details = `shown by ${namesOf(showing)}; denied by ${namesOf(denying)}`
  monitor.report({ subject: `deposit ${claim.tx.id} ${claim.position}`, details })
  if (denying.length < 2 || denying.length <= showing.length) return
  for (const { endpoint } of showing) monitor.caughtLying(endpoint, 'It shows a deposit that most providers deny.')
}

const namesOf = (testimonies: readonly Testimony[]): string =>
  testimonies.map(({ endpoint }) => endpoint.name).join(', ') || 'none'
