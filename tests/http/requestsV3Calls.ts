import { randomBytes } from 'node:crypto'
import type { Hex } from '@causeway/core'
import { expect } from 'vitest'
import { textAt } from '../harness/apiCall.js'
import { askHistory, type HistoryQuery, type HistoryWorld, idsOf, startHistoryWorld } from './historyWorld.js'
import { leakIn } from './httpWorld.js'
import { namesAt } from './quoteAmounts.js'
import { addRequest, type RequestRow } from './requestRows.js'

/** The world of the calls below, from `openWorld` on. */
export let world: HistoryWorld

export const openWorld = async (): Promise<HistoryWorld> => {
  world = await startHistoryWorld()
  return world
}

export const ask = (query: HistoryQuery = {}, apiKey = world.host.apiKey) =>
  askHistory(world, '/requests/v3', query, apiKey)
export const found = async (query: HistoryQuery): Promise<readonly string[]> => idsOf(await ask(query))
export const add = (row: RequestRow = {}): Promise<Hex> => addRequest(world.database.pool, world.real.requestId, row)
/** A word no other test has, to tell its own requests from those of others. */
export const unique = (): Hex => `0x${randomBytes(20).toString('hex')}`

export const refused = async (query: HistoryQuery, status = 400): Promise<string> => {
  const answer = await ask(query)
  const shown = JSON.stringify(query).slice(0, 200)
  expect([shown, answer.status, namesAt(answer.body)]).toEqual([shown, status, ['message']])
  expect(leakIn(world, answer.text)).toBeNull()
  return textAt(answer.body, 'message')
}
