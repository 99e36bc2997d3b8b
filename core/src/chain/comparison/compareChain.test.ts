import { expect, test } from 'vitest'
import { ServiceError } from '../../errors/serviceError.js'
import type { ProviderView } from '../chainAdapter.js'
import { compareChain } from './compareChain.js'

/** Answers of a provider: decimals of the one token (6 are configured), whether the router has code, or that it does not answer. */
interface Shown {
  readonly decimals?: number
  readonly code?: false
  readonly away?: true
}

const viewOf = ({ decimals = 6, code, away }: Shown, at: number): ProviderView => ({
  provider: `p${at}`,
  readTokens: async () => {
    if (away === true) throw new ServiceError('RPC_HTTP_ERROR', 'Away.')
    return [{ symbol: 'USD', name: 'Dollar', decimals }]
  },
  verifyContracts: async () => {
    if (code === undefined) return [{ check: 'contract', subject: 'router', state: 'ok', message: 'is deployed' }]
    return [{ check: 'contract', subject: 'router', state: 'fault', message: 'is not there', remedy: 'Deploy it.' }]
  },
})

const compare = async (shown: readonly Shown[]) => {
  const adapter = {
    native: { address: 'coin' },
    normalizeCurrency: (text: string) => text,
    validateAddress: (text: string) => ({ ok: true, canonical: text }),
    providerViews: () => ({ providers: shown.map(viewOf), providerCount: shown.length }),
    verifyContracts: async () => viewOf(shown[0] ?? {}, 0).verifyContracts({ allocator: null }),
    readToken: async () => (await viewOf(shown[0] ?? {}, 0).readTokens?.(['usd']))?.[0],
  }
  const currencies = [{ address: 'usd', decimals: 6, symbol: 'USD', name: 'Dollar', groupId: 'usd' }]
  // CAST: the members that are compared.
  const {
    currencies: wrong,
    contracts,
    doubted,
  } = await compareChain({ config: { currencies }, adapter } as never, {
    allocator: null,
  })
  const faults = contracts.filter(({ state }) => state === 'fault')
  return { faults: [...wrong, ...faults].map(({ message }) => message), doubted: doubted.length }
}

const EIGHT = 'has 8 decimals on the chain, and the configuration says 6.'

test.each<[string, readonly Shown[], { readonly faults: readonly string[]; readonly doubted: number }]>([
  ['one of three that states other decimals is doubted', [{}, { decimals: 8 }, {}], { faults: [], doubted: 1 }],
  ['one of three that shows no code is doubted', [{ code: false }, {}, {}], { faults: [], doubted: 1 }],
  ['two of three are believed', [{ decimals: 8 }, {}, { decimals: 8 }], { faults: [EIGHT], doubted: 0 }],
  [
    'two that state different wrong decimals are believed',
    [{ decimals: 8 }, { decimals: 8 }, { decimals: 9 }, {}],
    { faults: [EIGHT], doubted: 0 },
  ],
  ['all that agree with the configuration are believed', [{}, {}, {}], { faults: [], doubted: 0 }],
  ['a single provider is believed', [{ code: false }], { faults: ['is not there'], doubted: 0 }],
  ['one that answers and agrees with the configuration is believed', [{ away: true }, {}], { faults: [], doubted: 0 }],
])('%s', async (_, shown, result) => {
  expect(await compare(shown)).toEqual(result)
})

test.each<[string, readonly Shown[]]>([
  ['of two providers one contradicts the configuration', [{}, { decimals: 8 }]],
  [
    'of several providers only one answers, and contradicts the configuration',
    [{ away: true }, { code: false }, { away: true }],
  ],
  ['no provider answers', [{ away: true }, { away: true }]],
])('no comparison where %s', async (_, shown) => {
  await expect(compare(shown)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})
