import type { PoolClient } from 'pg'
import type { ChainMoney, Destination } from '../../chain/chainReferences.js'
import { toBytea } from '../../database/hexBytea.js'
import type { QuoteTerms } from '../../quote/quoteTerms.js'
import { insertRequests } from '../../request/insertRequests.js'
import type { RequestStatus } from '../../request/requestStatus.js'
import { createPayouts } from '../createPayouts.js'
import type { PayoutOrigin } from './originData.js'
import { setSponsorAside } from './originSponsor.js'

/** A transaction that is to be sent for a user. */
export interface NewOrigin {
  /** Of the quote that it uses, which becomes a request. */
  readonly terms: QuoteTerms
  /** Account that sends it: of the key that holds nothing but gas. */
  readonly signer: string
  /** The depository, or what a call is for. */
  readonly recipient: Destination
  /** What is to arrive in the depository; nothing of the native currency for a call. */
  readonly money: ChainMoney
  readonly origin: PayoutOrigin
  /** Gas of its simulation; null: it is simulated before it is signed. */
  readonly gas: bigint | null
  /** Most that its transaction may take of the native currency; absent: as the adapter sees fit. */
  readonly feeLimit?: bigint
  /** Unix milliseconds at which it is over whatever happens: the request is looked at then. */
  readonly overAt: number
  /** Whose sponsor bears the cost, where one does: its wallet must pay for it still. */
  readonly integratorId?: string
}

/** `known`: the request has one already. `over`: it is past that; `status` says where, `deposited` whether its deposit is there. */
export type OriginAnswer =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'known'; readonly origin: PayoutOrigin }
  | { readonly kind: 'over'; readonly status: RequestStatus; readonly deposited: boolean }

/** What one request sends is unique by this (architecture.md 3, typed causes). */
const causeOf = ({ terms, origin }: NewOrigin): string =>
  `${origin.kind === 'permit' ? 'permit' : 'execute'}:${terms.requestId.slice(2)}`

interface Standing {
  readonly status: RequestStatus
  readonly data: string | null
  /** By a deposit that fits its order: what anybody sends under its id besides is of other requests. */
  readonly deposited: boolean
}

/** Where the request stands; one that has nothing yet is marked as to be looked at when its transaction is over, in the same round trip. */
const MARK = {
  name: 'origin_mark',
  text: `with r as (
      select id, status from requests where id = $1 and parent_request_id is null for update
    ), standing as (
      select r.id, r.status, (select p.data from payouts p where p.purpose = 'origin' and p.cause = $2) as data,
        exists (select from deposits d where d.request_id = r.id and d.state = 'included') as deposited
      from r
    ), marked as (
      update requests q set next_action_at = to_timestamp($3 / 1000.0),
        features = case when $4 and not 'gasless_execution' = any(q.features) then q.features || 'gasless_execution'::text else q.features end
      from standing s where q.id = s.id and s.data is null and s.status = 'waiting' and not s.deposited
    )
    select status, data, deposited from standing`,
}

/**
 * Stores an origin transaction in the caller's transaction: the quote becomes a request that waits for its deposit, and the lane is woken. One
 * request has one: whoever asks again, or at the same time, finds that. Money is moved by nothing here but what a user signed. Throws what
 * `isBalanceTooLow` knows where a sponsor is to bear the cost and its balance does not.
 */
export const acceptOrigin = async (client: PoolClient, accepted: NewOrigin, now: number): Promise<OriginAnswer> => {
  const { terms } = accepted
  // Takes the lock of the order first: of two that ask at once the second reads what the first has written.
  await insertRequests(client, [{ terms, parent: null, refundReason: null }], now)
  const values = [
    toBytea(terms.requestId),
    causeOf(accepted),
    Math.max(accepted.overAt, now),
    accepted.origin.kind === 'call',
  ]
  const { rows } = await client.query<Standing>({ ...MARK, values })
  const [standing] = rows
  if (standing === undefined) throw new Error('A request that was just made is not there.')
  const { status, data, deposited } = standing
  if (data !== null) return { kind: 'known', origin: JSON.parse(data).origin }
  if (status !== 'waiting' || deposited) return { kind: 'over', status, deposited }
  await store(client, accepted, now)
  return { kind: 'accepted' }
}

const store = async (client: PoolClient, accepted: NewOrigin, now: number): Promise<void> => {
  const { terms, signer, recipient, money, origin, gas, feeLimit } = accepted
  const payout = {
    purpose: 'origin' as const,
    depositId: null,
    cause: causeOf(accepted),
    requestId: terms.requestId,
    orderId: terms.orderId,
    chainId: terms.origin.chainId,
    signer,
    recipient,
    ...money,
    fees: 0n,
    data: {
      origin,
      ...(gas === null ? {} : { gas: gas.toString() }),
      ...(feeLimit === undefined ? {} : { feeLimit: feeLimit.toString() }),
    },
    at: now,
  }
  await createPayouts(client, [payout], now)
  await chargeSponsor(client, accepted, now)
}

const chargeSponsor = async (client: PoolClient, accepted: NewOrigin, now: number): Promise<void> => {
  const { origin, integratorId = '' } = accepted
  if (origin.borne.by !== 'sponsor') return
  const { rows } = await client.query<{ id: string }>({
    name: 'origin_payout',
    text: `select id::text as id from payouts where purpose = 'origin' and cause = $1`,
    values: [causeOf(accepted)],
  })
  const [payout] = rows
  if (payout === undefined) throw new Error('A payout that was just made is not there.')
  await setSponsorAside(client, { payoutId: payout.id, integratorId, sponsor: origin.borne }, now)
}
