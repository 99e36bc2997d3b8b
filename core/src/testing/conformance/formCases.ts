import { type ConformanceCase, type ConformanceHarness, check } from './conformanceHarness.js'

const ZERO = '0x0000000000000000000000000000000000000000'

/** Pure rules: addresses, currencies, paths. */
export const formCases = ({ adapter, foreignAddresses, freshAddress, user }: ConformanceHarness): ConformanceCase[] => [
  {
    name: 'addresses: the canonical form is accepted and stays the same',
    run: async () => {
      for (const address of [freshAddress(), user.address]) {
        const first = adapter.validateAddress(address)
        if (!first.ok) throw new Error(`refuses ${address}: ${first.why}`)
        const second = adapter.validateAddress(first.canonical)
        check(second.ok && second.canonical === first.canonical, `${first.canonical} changes when it is read again`)
        check(adapter.sameAddress(address, first.canonical), `${address} and ${first.canonical} count as different`)
      }
    },
  },
  {
    name: 'addresses: garbage and addresses of other chains are refused, with a reason and without a throw',
    run: async () => {
      for (const text of ['', ' ', '0', 'x'.repeat(10_000), `${freshAddress()} `, ...foreignAddresses]) {
        const result = adapter.validateAddress(text)
        check(!result.ok, `accepts ${JSON.stringify(text.slice(0, 60))}`)
        check(!result.ok && result.why.length > 0, 'refuses without a reason')
      }
    },
  },
  {
    name: 'currencies: the zero address means the native one (wire.md K.1 10), garbage is null',
    run: async () => {
      check(adapter.normalizeCurrency(ZERO) === adapter.native.address, 'the zero address is not the native currency')
      check(
        adapter.normalizeCurrency(adapter.native.address) === adapter.native.address,
        'the native marker is not itself',
      )
      for (const text of ['', 'not a currency', '0x12'])
        check(adapter.normalizeCurrency(text) === null, `accepts ${text}`)
    },
  },
  {
    name: 'explorer paths and limits are there (wire.md K.3 9)',
    run: async () => {
      check(adapter.explorerPaths().transaction.includes('{TX_HASH}'), 'the transaction path has no {TX_HASH}')
      check(adapter.maxAmount > 0n, 'maxAmount is not positive')
      check(/^0x([0-9a-f]{2})*$/.test(adapter.orderExtraData()), 'orderExtraData is not hex')
    },
  },
]
