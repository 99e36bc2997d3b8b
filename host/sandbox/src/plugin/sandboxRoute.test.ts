import * as networks from 'viem/chains'
import { expect, it } from 'vitest'
import { CHAIN_PLANS } from '../chainPlans.js'
import { hasForeignIds } from './sandboxRoute.js'

it('no chain of the sandbox has the id of a real network: their ids are fixed and only their names can be chosen', () => {
  const known = new Set<number>(Object.values(networks).map(({ id }) => id))
  expect(known.has(1)).toBe(true)
  expect(CHAIN_PLANS.filter(({ id }) => known.has(id))).toEqual([])
  expect(hasForeignIds(CHAIN_PLANS)).toBe(false)
  expect(hasForeignIds([...CHAIN_PLANS, { id: 8453 }])).toBe(true)
})
