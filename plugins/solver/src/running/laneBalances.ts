import { isDeepStrictEqual } from 'node:util'
import { ServiceError } from '@causeway/core'
import type { LaneReading } from '@causeway/core/chain'
import {
  balanceBefore,
  capitalPosting,
  type ObservedBalance,
  openingEvent,
  postLedger,
} from '@causeway/core/money-path'
import type { PoolClient } from 'pg'
import { type LaneContext, laneKey } from '../laneContext.js'

/** What a key that only sends for users has is gas. */
const heldBy = ({ chain, currencies, kind }: Pick<LaneContext, 'chain' | 'currencies' | 'kind'>) =>
  kind === 'origin' ? [chain.adapter.native] : currencies.ofChain(chain.config.id)

/** What the wallet of a lane holds; currencies whose balance cannot be read are left out. */
export const readBalances = async ({
  chain,
  currencies,
  address,
  kind,
}: LaneContext): Promise<readonly ObservedBalance[]> => {
  const held = heldBy({ chain, currencies, kind })
  const { amounts, reserved, height } = await chain.adapter.getBalances(
    held.map((currency) => ({ address, currency: currency.address })),
  )
  return held.flatMap(({ address: currency }, index) => {
    const balance = amounts[index] ?? null
    // What a failed call does not tell stays as it was seen last (F128).
    return balance === null
      ? []
      : [{ chainId: chain.config.id, currency, balance, reserved: reserved?.[index] ?? 0n, height }]
  })
}

/**
 * What the books begin with must be known of every currency: what is found later would look like a gift.
 * @throws ServiceError
 */
export const requireAll = (lane: LaneContext, balances: readonly ObservedBalance[]): void => {
  const unknown = heldBy(lane).filter(({ address }) => balances.every((item) => item.currency !== address))
  if (unknown.length === 0) return
  const names = unknown.map(({ symbol }) => symbol).join(', ')
  throw new ServiceError(
    'SERVICE_UNAVAILABLE',
    `The first balance of ${names} cannot be read: the lane opens once it can.`,
  )
}

/**
 * What a forgotten key sent must be where it was before the balances were read: what came into a block meanwhile is in them, and would be
 * booked as paid out of them once it is recognised.
 * @throws ServiceError
 */
export const requireStill = (before: LaneReading, after: LaneReading): void => {
  const standing = ({ unknown }: LaneReading) => unknown.map(({ tx, status }) => `${tx.id} ${status}`).toSorted()
  if (isDeepStrictEqual(standing(before), standing(after))) return
  throw new ServiceError(
    'SERVICE_UNAVAILABLE',
    'What this key sent came into blocks while its balances were read: the lane opens once they agree.',
  )
}

/** Books what a lane begins with as capital, unless the books have it already. */
export const bookOpening = async (
  lane: LaneContext,
  client: PoolClient,
  balances: readonly ObservedBalance[],
  found: Parameters<typeof openingEvent>[2],
): Promise<void> => {
  const event = await openingEvent(client, laneKey(lane), found)
  if (event === null) return
  const { adapter } = lane.chain
  const wallet = { native: adapter.native.address, isOwn: (to: string) => adapter.sameAddress(to, lane.address) }
  const postings = balances.map((item) =>
    capitalPosting({
      ...item,
      ...(lane.kind === 'origin' ? { into: 'sender' } : {}),
      amount: balanceBefore(item, found.reading.unknown, wallet),
      event,
    }),
  )
  await postLedger(client, postings, lane.clock.now())
}
