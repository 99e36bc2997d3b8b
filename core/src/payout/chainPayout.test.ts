import { expect, it } from 'vitest'
import type { QuoteTerms } from '../quote/quoteTerms.js'
import { fillByTerms, fillFormData, keptData, simulatedData, toChainPayout } from './chainPayout.js'
import type { StoredPayout } from './payoutRecord.js'

const plain = {
  orderId: '0x0d',
  recipient: { address: '0xa' },
  destination: { chainId: 7, currency: '0xc' },
}
const calls = {
  calls: [{ to: '0xb', data: '0x01', value: 3n }],
  gasLimit: 50_000n,
  delegations: [{ chainId: 7, address: '0xd', nonce: 1 }],
}

it.each([
  ['a plain fill', plain],
  ['one with native currency beside it', { ...plain, topup: { currency: 'native', amount: 5n } }],
  ['one with calls', { ...plain, calls }],
  ['one with calls that set no gas aside', { ...plain, calls: { ...calls, gasLimit: null, delegations: [] } }],
])('a chain is asked about the same payment by the terms of a fill and by its record: %s', (_, stated) => {
  // CAST: of terms and record what a payment is made from.
  const terms = stated as unknown as QuoteTerms
  const decided = fillByTerms(terms, { from: '0x5', amount: 100n })
  const record = {
    purpose: 'fill',
    orderId: terms.orderId,
    signer: '0x5',
    recipient: terms.recipient,
    currency: '0xc',
    amount: 100n,
    address: null,
    data: JSON.parse(JSON.stringify({ ...fillFormData(decided), ...keptData(terms, { excess: 0n }) })),
  } as unknown as StoredPayout
  expect(toChainPayout(record)).toEqual(decided)
  expect(decided).toMatchObject({ purpose: 'fill', from: '0x5', money: { currency: '0xc', amount: 100n } })
})

it('a payout keeps what its simulation did not run', () => {
  expect(simulatedData({ ok: true, block: 1n, gas: 3n, notRun: 'Its code is in a library.' })).toEqual({
    ...{ gas: '3', notRun: 'Its code is in a library.' },
  })
  expect(simulatedData({ ok: true, block: 1n, gas: 3n })).toEqual({ gas: '3' })
})
