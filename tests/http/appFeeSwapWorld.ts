import { topupOrderId } from '@causeway/core/plugin'
import { afterAll, beforeAll, expect } from 'vitest'
import { callApi, textAt, valueAt } from '../harness/apiCall.js'
import { until } from '../harness/until.js'
import { startAppFeeWorld } from './appFeeWorld.js'
import { type HttpWorld, nativeBody } from './httpWorld.js'
import { microUsdAt } from './quoteAmounts.js'

export let world: HttpWorld

export const first = () => world.network.chains[0]

export const quoted = async (more: object): Promise<unknown> => {
  const body = nativeBody(world, { destinationChainId: first().chain.chainId, ...more })
  const { status, body: answer } = await callApi(world.host.url, '/quote', { body })
  expect([status, valueAt(answer, 'message')]).toEqual([200, undefined])
  return answer
}

/** What came to the depository for a wallet's balance. */
export const depositedFor = async (wallet: string): Promise<unknown> => {
  const { rows } = await world.database.pool.query(
    `select currency, amount::text as amount, depositor from deposits where order_id = decode($1, 'hex') and state = 'included'`,
    [topupOrderId(wallet).slice(2)],
  )
  return rows
}

export const appFeesOf = async (answer: unknown): Promise<unknown> => {
  const path = `/requests/v3?id=${textAt(answer, 'requestId')}`
  return until('the record', async () => {
    const { body } = await callApi(world.host.url, path, { apiKey: world.host.apiKey })
    const fees = valueAt(body, 'requests.0.data.appFees')
    return valueAt(body, 'requests.0.status') === 'success' ? fees : null
  })
}

export const identities = (answer: unknown): void => {
  const usd = (path: string) => microUsdAt(answer, path)
  const part = (name: string) => usd(`details.expandedPriceImpact.${name}.usd`)
  expect(part('app')).toBe(-usd('fees.app.amountUsd'))
  expect(part('swap') + part('execution') + part('relay') + part('app')).toBe(usd('details.totalImpact.usd'))
}

/** Starts a host with app fees and pools before the tests of a file, and stops it afterwards. */
export const useAppFeeSwaps = (): void => {
  beforeAll(async () => {
    world = await startAppFeeWorld({}, { swaps: true })
  })
  afterAll(() => world?.close())
}
