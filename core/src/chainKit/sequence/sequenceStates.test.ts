import { expect, it } from 'vitest'
import { ACCOUNT, payoutTo } from './fakeAccount.test.support.js'
import type { SentTransaction } from './sequenceChain.js'
import { stateOf } from './sequenceStates.js'

const money = { currency: 'coin', amount: 7n }
const block = { height: 90n, hash: '0x5a', time: 90 }

const sent = (changes: Partial<SentTransaction> = {}): SentTransaction => ({
  ...{ tx: { id: 'a' }, sequence: 5n, until: 99n, memo: null, to: 'bob', money, arrived: money, block, revert: null },
  ...{ fee: 3n, txData: { from: ACCOUNT, to: 'bob', data: '', value: '7' } },
  ...changes,
})

it.each<[string, SentTransaction, object]>([
  ['paid its recipient', sent(), { status: 'success', paid: 7n, confirmations: 11 }],
  ['paid less than was said', sent({ arrived: { ...money, amount: 2n } }), { status: 'success', paid: 2n }],
  ['paid another recipient', sent({ to: 'eve' }), { status: 'success', paid: 0n }],
  ['paid another tag of it', sent({ to: 'bob?tag=0' }), { status: 'success', paid: 0n }],
  ['paid another currency', sent({ arrived: { ...money, currency: 'token' } }), { status: 'success', paid: 0n }],
  ['does not show what arrived', sent({ arrived: null }), { status: 'success', paid: null }],
  ['failed', sent({ revert: 'No line.' }), { status: 'reverted', paid: 0n, fee: 3n, revert: 'No line.' }],
  ['is in no block', sent({ block: null }), { status: 'pending', paid: null, fee: 0n }],
  ['is in a block newer than the head', sent({ block: { ...block, height: 101n } }), { confirmations: 1 }],
])('F123: a transaction that %s counts for what it is', (_, shown, state) => {
  expect(stateOf(shown, { tip: 100n, payout: payoutTo('bob'), account: ACCOUNT })).toMatchObject(state)
})
