import type { ChainPackage, ChainSetup, ContractKeys, CurrencyConfig, PublicChain, Signer } from '@causeway/core/chain'
import { UsageError } from '../cli/plainError.js'
import type { ChainInput } from '../config/defineConfig.js'
import { asChainPackage } from '../plugins/packageShape.js'
import { PackageError, PackageSource } from '../plugins/packageSource.js'

/** Packages whose public chains are known without being named, as far as they are installed; others are named with --package. */
const COMMON_PACKAGES = [
  '@causeway/chain-evm',
  '@causeway/chain-svm',
  '@causeway/chain-bvm',
  '@causeway/chain-xrpvm',
  '@causeway/chain-hederavm',
  '@causeway/chain-tonvm',
  '@causeway/chain-tvm',
  '@causeway/chain-hypevm',
  '@causeway/chain-lvm',
]

/** A chain as an operator asks for it. */
export interface WantedChain {
  readonly slug: string
  /** Given for a chain that no list has. */
  readonly own?: { readonly id: number; readonly symbol: string }
  /** URLs that answer now. */
  readonly rpc: readonly string[]
  /** Symbols of well-known tokens, or addresses. */
  readonly tokens: readonly string[]
}

/** A package that can set chains up. */
export interface SetupPackage {
  readonly name: string
  readonly scheme: Signer['scheme']
  readonly setup: ChainSetup
  readonly chainPackage: ChainPackage
}

/** The common packages that are installed, and those named. @throws PackageError for a named one that is not installed */
export const findSetups = async (folder: string, named: readonly string[]): Promise<readonly SetupPackage[]> => {
  const source = new PackageSource(folder)
  const installed: string[] = []
  for (const name of COMMON_PACKAGES) {
    try {
      await source.load(name)
      installed.push(name)
    } catch (error) {
      if (!(error instanceof PackageError) || !error.missing) throw error
    }
  }
  return loadSetups(folder, [...new Set([...installed, ...named])])
}

/** What sets chains of these packages up. @throws PackageError, UsageError */
export const loadSetups = async (folder: string, names: readonly string[]): Promise<readonly SetupPackage[]> => {
  const source = new PackageSource(folder)
  const loaded: SetupPackage[] = []
  for (const name of names) {
    const chainPackage = asChainPackage(await source.load(name))
    const setup = await chainPackage.setup?.()
    if (setup === undefined)
      throw new UsageError(`${name} cannot set chains up: write its chains into the configuration, as its README says.`)
    loaded.push({ name, scheme: chainPackage.keyScheme ?? 'secp256k1', setup, chainPackage })
  }
  return loaded
}

export interface FoundChain extends SetupPackage {
  readonly chain: PublicChain
}

/** @throws UsageError when nobody knows the chain */
export const findChain = (wanted: WantedChain, packages: readonly SetupPackage[]): FoundChain => {
  const { slug, own } = wanted
  for (const known of packages) {
    const chain =
      own === undefined
        ? known.setup.publicChains.find((candidate) => candidate.slug === slug)
        : known.setup.ownChain({ slug, ...own })
    if (chain !== undefined && chain !== null) return { ...known, chain }
  }
  const slugs = packages.flatMap(({ setup }) => setup.publicChains.map((chain) => chain.slug)).join(', ')
  throw new UsageError(
    `No list has the chain "${slug}". Known: ${slugs}. For one of your own give --own-chain ${slug}=<id>:<symbol>.`,
  )
}

/** Looks at the nodes and tokens of a chain and makes its entry, options apart. @throws SetupError, UsageError */
export const describeChain = async (
  { chain, name, setup }: FoundChain,
  wanted: WantedChain,
  timeoutMs: number,
): Promise<ChainInput> => {
  if (wanted.rpc.length === 0)
    throw new UsageError(
      `Name an endpoint of ${wanted.slug}: --rpc ${wanted.slug}=<url> or ${wanted.slug}=env:<variable>.`,
    )
  const place = { id: chain.id, rpc: wanted.rpc.map((http) => ({ http })), options: chain.options, timeoutMs }
  await setup.checkEndpoints(place)
  const currencies: CurrencyConfig[] = [chain.native]
  for (const token of wanted.tokens) currencies.push(await describeToken({ chain, setup }, token, place))
  return {
    id: chain.id,
    slug: chain.slug,
    name: chain.name,
    package: name,
    rpc: wanted.rpc,
    currencies,
    confirmations: chain.confirmations,
    ...(chain.explorerUrl === undefined ? {} : { explorerUrl: chain.explorerUrl }),
    options: chain.options,
  }
}

/** A token as the chain shows it; what lists say of it must agree. @throws SetupError, UsageError */
export const describeToken = async (
  { chain, setup }: { readonly chain: Pick<PublicChain, 'slug' | 'tokens'>; readonly setup: ChainSetup },
  token: string,
  place: Parameters<ChainSetup['readToken']>[0],
): Promise<CurrencyConfig> => {
  const listed = chain.tokens.find(
    ({ symbol, address }) =>
      symbol.toLowerCase() === token.toLowerCase() || address.toLowerCase() === token.toLowerCase(),
  )
  const read = await setup.readToken(place, listed?.address ?? token)
  if (listed === undefined) return { ...read, groupId: read.symbol.toLowerCase() }
  if (read.decimals !== listed.decimals)
    throw new UsageError(
      `${listed.symbol} on ${chain.slug} says ${read.decimals} decimals, not ${listed.decimals}: this node serves another chain, or the list is wrong.`,
    )
  return { ...listed, address: read.address }
}

/**
 * Compares the tokens that a chain lists already with the chain.
 * @throws UsageError that names each difference, SetupError when an address is no token
 */
export const requireListedDecimals = async (
  { slug, currencies }: { readonly slug: string; readonly currencies: readonly CurrencyConfig[] },
  setup: ChainSetup,
  place: Parameters<ChainSetup['readToken']>[0],
): Promise<void> => {
  const { id } = place
  const known = setup.publicChains.find((chain) => chain.id === id) ?? setup.ownChain({ id, slug, symbol: 'NATIVE' })
  const tokens = currencies.filter(({ address }) => address !== known?.native.address)
  const read = await Promise.all(tokens.map(({ address }) => setup.readToken(place, address)))
  const wrong = tokens.flatMap(({ symbol, address, decimals }, at) => {
    const found = read[at]?.decimals
    return found === decimals
      ? []
      : [
          `${symbol} (${address}) of ${slug} has ${found} decimals on the chain, and the configuration says ${decimals}.`,
        ]
  })
  if (wrong.length > 0) throw new UsageError(`${wrong.join(' ')} Correct "decimals" in the configuration first.`)
}

/** The options of a chain once its keys are there. */
export const optionsOf = (
  { chain, setup }: FoundChain,
  keys: ContractKeys,
  owner: string | undefined,
): Readonly<Record<string, unknown>> =>
  setup.optionsFor(keys, {
    id: chain.id,
    // An account owns what is deployed; where nothing is, nobody has to.
    options: { ...chain.options, ...(owner === undefined || setup.openContracts === undefined ? {} : { owner }) },
  })
