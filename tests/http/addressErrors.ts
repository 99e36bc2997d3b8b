import type { Hex } from '@causeway/core'
import type { NewDepositAddress } from '@causeway/core/plugin'
import { giveTestAddress } from '@causeway/core/testing'
import { callApi } from '../harness/apiCall.js'
import type { HttpWorld } from './httpWorld.js'

const UNKNOWN = `0x${'ab'.repeat(20)}`
const ID: Hex = `0x${'ab'.repeat(32)}`

/** An address as if the quote `requestId` of the tests' own integrator had given it. */
const addressOf = async ({ database, network }: HttpWorld, requestId: Hex): Promise<string> => {
  const { chainId } = network.chains[0].chain
  const address = `0x${'cd'.repeat(20)}`
  const facts: NewDepositAddress = {
    ...{ chainId, requestId, orderId: ID, type: 'open', depositor: UNKNOWN, currency: UNKNOWN, derivation: null },
    ...{ destination: { address }, refundTo: null, recoveryAddress: null, liveUntil: 0 },
  }
  await giveTestAddress(database.pool, facts, Date.now())
  return address
}

/** How the operations on addresses to pay to are brought to each error of theirs; `stored` is a quote of the tests' own integrator. */
export const addressErrors = (
  world: HttpWorld,
  stored: () => string,
): Readonly<Record<string, () => Promise<number>>> => {
  const reindex = async (depositAddress: string) => {
    const body = { chainId: world.network.chains[0].chain.chainId, depositAddress }
    return (await callApi(world.host.url, '/transactions/deposit-address/reindex', { body })).status
  }
  return {
    'GET /deposit-addresses/v1 404': async () => {
      const { apiKey } = world.host
      return (await callApi(world.host.url, `/deposit-addresses/v1?address=${UNKNOWN}`, { apiKey })).status
    },
    // CAST: what a quote answered.
    'POST /transactions/deposit-address/reindex 403': async () => reindex(await addressOf(world, stored() as Hex)),
    'POST /transactions/deposit-address/reindex 404': () => reindex(UNKNOWN),
  }
}
