import { expect, it } from 'vitest'
import { readServerInfo } from './serverInfo.js'

const ledger = {
  age: 2,
  seq: 90_000_000,
  hash: 'AB'.repeat(32),
  base_fee_xrp: 0.00001,
  reserve_base_xrp: 1,
  reserve_inc_xrp: 0.2,
}
const info = { complete_ledgers: '32570-90000000', load_factor: 1, network_id: 1, validated_ledger: ledger }

it('amounts of XRP are drops, to the last digit', () => {
  expect(readServerInfo({ info })).toEqual({
    networkId: 1,
    complete: [{ first: 32_570n, last: 90_000_000n }],
    loadFactor: 1,
    validated: {
      height: 90_000_000n,
      hash: ledger.hash,
      baseFee: 10n,
      reserves: { base: 1_000_000n, increment: 200_000n },
    },
  })
})

it('a server that names no network is of the main one; one that has not caught up has no validated ledger', () => {
  expect(readServerInfo({ info: { complete_ledgers: 'empty' } })).toMatchObject({ networkId: 0, validated: null })
})

it.each([
  ['no info', {}],
  ['text for the network', { info: { ...info, network_id: '1' } }],
  ['no ledgers', { info: { ...info, complete_ledgers: undefined } }],
  ['strange ledgers', { info: { ...info, complete_ledgers: 'many' } }],
  ['a height with a point', { info: { ...info, validated_ledger: { ...ledger, seq: 7.5 } } }],
  ['text for a reserve', { info: { ...info, validated_ledger: { ...ledger, reserve_base_xrp: '1' } } }],
])('an answer with %s is refused', (_, answer) => {
  expect(() => readServerInfo(answer)).toThrow(/could not be reached/)
})
