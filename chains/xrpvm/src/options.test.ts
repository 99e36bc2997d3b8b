import { expect, it } from 'vitest'
import { resolveOptions } from './options.js'

const depository = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'
const depositAccount = 'rJBdWA9p5KwBoqSQTyMdg3UHLsJVzGVu5m'

it('the network id follows from the chain where that is a public one; any other must say its own', () => {
  expect(resolveOptions({ depository }, 537_724).networkId).toBe(0)
  expect(resolveOptions({ depository }, 537_725).networkId).toBe(1)
  expect(resolveOptions({ depository, networkId: 21_337 }, 537_724).networkId).toBe(21_337)
  expect(() => resolveOptions({ depository }, 7)).toThrow(/set options.networkId/)
})

it('deposit addresses have an account of their own', () => {
  expect(resolveOptions({ depository, depositAccount }, 537_724).depositAccount).toBe(depositAccount)
  expect(resolveOptions({ depository }, 537_724).depositAccount).toBeNull()
  expect(() => resolveOptions({ depository, depositAccount: depository }, 537_724)).toThrow(/depository/)
})

it('what is left out has its default', () => {
  expect(resolveOptions({ depository, startLedger: 5, maxFeeDrops: 12 }, 537_724)).toMatchObject({
    startLedger: 5,
    lifetimeLedgers: 20n,
    maxFeeDrops: 12n,
    pollIntervalMs: 1000,
  })
})
