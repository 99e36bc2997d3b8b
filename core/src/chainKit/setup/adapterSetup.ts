import { pino } from 'pino'
import type { ChainAdapter } from '../../chain/chainAdapter.js'
import type { ChainConfig } from '../../chain/chainConfig.js'
import type { ChainDeps } from '../../chain/chainPackage.js'
import { type ChainSetup, type PublicChain, SetupError, type SetupPlace } from '../../chain/chainSetup.js'
import type { Signer } from '../../chain/signer.js'
import { systemClock } from '../../clock/clock.js'
import { environmentOf } from '../../container/environment.js'
import { ServiceError } from '../../errors/serviceError.js'

export interface AdapterSetupParts {
  readonly publicChains: readonly PublicChain[]
  /** Options that follow from the allocator's key: its address is the depository, where nothing has to be deployed. */
  optionsFor(allocator: Signer, chain: Pick<PublicChain, 'id' | 'options'>): Readonly<Record<string, unknown>>
  /** A key for nobody, while the allocator's is not there yet: nodes are looked at before keys are made. */
  readonly anyAllocator: Signer
  create(options: Readonly<Record<string, unknown>>, deps: ChainDeps): Promise<ChainAdapter>
}

/**
 * The setup of a package whose chains keep deposits at the allocator's own address: nodes are looked at by the adapter's `diagnose`,
 * tokens by its `readToken`.
 */
export const adapterSetup = (parts: AdapterSetupParts): ChainSetup => ({
  publicChains: parts.publicChains,
  ownChain: () => null,
  checkEndpoints: (place) => checkEndpoints(parts, place),
  readToken: async (place, address) => {
    const adapter = await adapterOf(parts, place)
    const currency = adapter.normalizeCurrency(address)
    if (currency === null) throw new SetupError(`"${address}" is no address of this chain.`)
    if (currency === adapter.native.address) throw new SetupError(`${address} is the native currency.`)
    const facts = (await asking(() => adapter.readToken?.(currency))) ?? null
    if (facts === null) throw new SetupError(`There is no token at ${address}: nothing there tells its decimals.`)
    return { ...facts, address: currency }
  },
  optionsFor: ({ allocator }, { id, options }) => ({
    ...options,
    ...(allocator === null ? {} : parts.optionsFor(allocator, { id, options })),
  }),
})

const checkEndpoints = async (parts: AdapterSetupParts, place: SetupPlace): Promise<void> => {
  for (const [at, endpoint] of place.rpc.entries()) {
    const adapter = await adapterOf(parts, { ...place, rpc: [endpoint] })
    const found = (await adapter.diagnose?.({ timeoutMs: place.timeoutMs, allocator: null })) ?? []
    const fault = found.find(({ check, state }) => check.startsWith('rpc') && state === 'fault')
    if (fault !== undefined) throw new SetupError(`Endpoint ${at + 1} of ${place.rpc.length} ${fault.message}.`)
  }
}

const adapterOf = (parts: AdapterSetupParts, place: SetupPlace): Promise<ChainAdapter> => {
  const options = { ...place.options, ...parts.optionsFor(parts.anyAllocator, place) }
  const known = parts.publicChains.find(({ id }) => id === place.id)
  const config: ChainConfig = {
    id: place.id,
    slug: known?.slug ?? 'new',
    name: known?.name ?? 'New',
    package: '',
    rpc: place.rpc,
    currencies: [],
    confirmations: known?.confirmations ?? { fill: 1, success: 1, settle: 1, settleSeconds: 0 },
    solver: '',
    enabled: true,
    options,
  }
  const deps = { config, clock: systemClock, logger: pino({ level: 'silent' }), environment: environmentOf({}) }
  return parts.create(options, deps)
}

const asking = async <T>(question: () => Promise<T> | undefined): Promise<T | undefined> => {
  try {
    return await question()
  } catch (error) {
    if (ServiceError.is(error)) throw new SetupError('No endpoint of this chain answers: check their URLs.')
    throw error
  }
}
