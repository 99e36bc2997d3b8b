import { type Currency, ServiceError } from '@causeway/core'
import type { DepositAddress, DepositAddresses } from '@causeway/core/chain'
import { expect, it } from 'vitest'
import { findHoldings } from './findHoldings.js'

// CAST: all that is read of a currency or an address here.
const currencies = ['a', 'b', 'c'].map((address) => ({ address }) as Currency)
const address = {} as DepositAddress

/** One of each currency lies there; asking about any of `broken` fails. */
const find = (broken: readonly string[], failure: Error = new ServiceError('RPC_HTTP_ERROR', 'down')) => {
  const holdings: DepositAddresses['holdings'] = async (_addresses, asked) => {
    if (asked.some((currency) => broken.includes(currency))) throw failure
    return [asked.map((currency) => ({ currency, amount: 1n }))]
  }
  // CAST: nothing else of the capability is asked.
  return findHoldings({ holdings } as DepositAddresses, address, currencies)
}

it('one token that does not answer hides no other (wire.md 2.11 failedCurrencies)', async () => {
  expect(await find([])).toMatchObject({ found: [{ currency: 'a' }, { currency: 'b' }, { currency: 'c' }], failed: 0 })
  expect(await find(['b'])).toEqual({
    found: [
      { currency: 'a', amount: 1n },
      { currency: 'c', amount: 1n },
    ],
    failed: 1,
  })
})

it('a chain that says nothing at all is a failure, and so is one of ours', async () => {
  await expect(find(['a', 'b', 'c'])).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
  await expect(find(['b'], new TypeError('ours'))).rejects.toThrow('ours')
})
