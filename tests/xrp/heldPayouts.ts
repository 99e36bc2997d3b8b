import { controlNode } from '@causeway/core/testing'
import { afterAll, beforeAll } from 'vitest'
import type { Quote } from '../transfers/apiClient.js'
import type { UserRequest } from '../transfers/userClient.js'
import { DROPS, EVM_ID, XRP_ID, type XrpNetwork } from './xrpNetwork.js'
import { startXrpWorld, type XrpWorld } from './xrpWorld.js'

export let world: XrpWorld
export let network: XrpNetwork
export const DEPOSIT_AUTH = 9

/** More ledgers than a payment may wait for. */
export const LIFETIME = 25

/** Calls a control of the local ledger. */
export const control = (name: string, ...params: readonly unknown[]): Promise<void> =>
  controlNode(network.node.url, name, ...params)

/** Pays a quote; its fill is submitted to a ledger that takes it and keeps it back. */
export const heldFill = async (recipient: string): Promise<Quote> => {
  const request: UserRequest = { from: EVM_ID, to: XRP_ID, symbol: 'XRP', amount: 30n * DROPS, recipient }
  const quote = await world.client.quote(request)
  await control('hold')
  await world.client.pay(quote, request)
  await world.client.waitFor(quote.requestId, ['submitted'])
  return quote
}

export const idBytes = ({ requestId }: Quote): Buffer => Buffer.from(requestId.slice(2), 'hex')

export const attemptsOf = async (quote: Quote) => {
  const { rows } = await world.pool.query<{ purpose: string; generation: number; tx_id: string }>(
    `select p.purpose, a.generation, a.tx_id from payout_attempts a join payouts p on p.id = a.payout_id
     where p.request_id = $1 order by a.generation, a.version`,
    [idBytes(quote)],
  )
  return rows
}

/** Starts a host over a ledger that keeps payments back before the tests of a file, and stops it afterwards. */
export const useHeldPayouts = (): void => {
  beforeAll(async () => {
    world = await startXrpWorld()
    ;({ network } = world)
  })
  afterAll(() => world?.close())
}
