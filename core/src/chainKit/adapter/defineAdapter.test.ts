import { expect, it } from 'vitest'
import { type AdapterParts, defineAdapter } from './defineAdapter.js'

const NATIVE = { address: 'coin', symbol: 'LDG', name: 'Ledger coin', decimals: 6 }
const DEPOSITORY = 'vault'

const partsWith = (config: Partial<AdapterParts['identity']['config']> = {}, more: Partial<AdapterParts> = {}) => ({
  identity: {
    config: { id: 7, slug: 'seven', currencies: [], ...config },
    ...{ vmType: 'ledgervm', native: NATIVE, depository: DEPOSITORY, maxAmount: 10n },
    capabilities: { bump: 'replace', depositBinding: 'memo' },
  },
  forms: {
    validateAddress: (text: string) =>
      text.startsWith('?') ? { ok: false, why: 'no account' } : { ok: true, canonical: text.toLowerCase() },
    normalizeCurrency: (text: string) => text.toLowerCase(),
  },
  // CAST: nothing is read or paid here.
  ...({ reader: {}, payouts: {}, deposits: {} } as unknown as Pick<AdapterParts, 'reader' | 'payouts' | 'deposits'>),
  ...more,
})

const adapterOf = (...given: Parameters<typeof partsWith>) => defineAdapter(partsWith(...given) as AdapterParts)

it('an adapter has the id of the configuration, and the native currency as it is listed there', () => {
  const own = { symbol: 'OWN', name: 'Own coin' }
  // CAST: the other members of a currency are for others.
  const currencies = [
    { ...NATIVE, ...own, address: 'COIN' },
  ] as unknown as AdapterParts['identity']['config']['currencies']
  expect(adapterOf({ currencies })).toMatchObject({ chainId: 7, slug: 'seven', native: { ...NATIVE, ...own } })
  expect(adapterOf().native).toEqual(NATIVE)
})

it('what no part says is not there, or has its default', async () => {
  const adapter = adapterOf()
  expect(adapter.capabilities).toMatchObject({ tokens: false, destinationCalls: false, bump: 'replace' })
  expect([adapter.fillContract, adapter.depositAddresses, adapter.readToken]).toEqual([null, undefined, undefined])
  expect(adapter.explorerPaths().token).toBe('/token/{ADDRESS}')
  expect([adapter.orderExtraData({ address: 'a' }), adapter.orderExtraData({ address: 'a', tag: 258 })]).toEqual([
    '0x',
    '0x00000102',
  ])
  expect([adapter.sameAddress('A', 'a'), adapter.sameAddress('?A', '?a')]).toEqual([true, false])
  expect(await adapter.recipientStatus({ address: DEPOSITORY }, 'coin')).toMatchObject({ canReceive: false })
  expect(await adapter.recipientStatus({ address: 'a' }, 'coin')).toEqual({ canReceive: true })
})

it('what a part says goes before the default', () => {
  const { forms } = partsWith()
  const sameAddress = () => true
  // CAST: as above.
  const own = { forms: { ...forms, sameAddress, orderExtraData: () => '0x05' } } as unknown as Partial<AdapterParts>
  const adapter = adapterOf({}, own)
  expect([adapter.sameAddress('a', 'b'), adapter.orderExtraData({ address: 'a', tag: 1 })]).toEqual([true, '0x05'])
})
