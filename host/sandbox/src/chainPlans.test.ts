import { expect, it } from 'vitest'
import { CHAIN_PLANS, chosenPlans } from './chainPlans.js'
import { SandboxError } from './sandboxError.js'

const slugsOf = (asked: string | undefined) => chosenPlans(asked).map(({ slug }) => slug)

it('without a choice all chains are made', () => {
  expect(chosenPlans(undefined)).toBe(CHAIN_PLANS)
  expect(chosenPlans(' ')).toBe(CHAIN_PLANS)
})

it('those that are chosen are made, in the order of the plans, each once', () => {
  expect(slugsOf('fjord, harbor,fjord')).toEqual(['harbor', 'fjord'])
})

it.each([
  ['harbor,atlantis', /"atlantis".*harbor, lagoon, reef, glacier, fjord, atoll, islet, cove, shoal, bight/],
  ['harbor,', /""/],
  ['fjord', /at least two/],
  ['fjord,fjord', /at least two/],
])('%s is refused with what there is', (asked, message) => {
  expect(() => chosenPlans(asked)).toThrow(SandboxError)
  expect(() => chosenPlans(asked)).toThrow(message)
})
