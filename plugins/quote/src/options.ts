import { LONGEST_HOLD_MS, ONE_USD, parseUsd, type Usd } from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'

const STABLE = ['USDC', 'USDT', 'DAI', 'USDC.E', 'USDT0', 'USDS', 'PYUSD']
const MAJOR = ['ETH', 'WETH', 'BTC', 'WBTC', 'SOL', 'WSOL', 'POL', 'BNB', 'PLUME']

/** Slippage of a quote whose caller asks for none, basis points (wire.md H.2). */
const DEFAULT_SLIPPAGE = { sameAsset: 50, crossAsset: 200, gasShareWidening: 100, maxAutomatic: 5_000 } as const

const integer = (value: number, maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum, default: value, description }))
const seconds = (value: number, description: string) => integer(value, 31_536_000, description)
const bps = (value: number, description: string) => integer(value, 9_999, description)
/** Bounded, so that an input derived from an output stays near it. */
const feeBps = (value: number, description: string) => integer(value, 1_000, description)
const dollars = (value: string, description: string) =>
  Type.Optional(Type.String({ pattern: '^[0-9]{1,9}(\\.[0-9]{1,18})?$', default: value, description }))
const flag = (value: boolean, description: string) => Type.Optional(Type.Boolean({ default: value, description }))
const symbols = (value: string[], description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1 }), { default: value, description }))

/** Options of the plugin in the configuration; README.md explains each. */
export const quoteOptions = Type.Object(
  {
    flatExecutionUsd: dollars('0.02', 'Fixed part of the execution fee, US dollars'),
    platformBps: Type.Optional(
      Type.Object(
        {
          bridge: feeBps(0, 'Same asset across chains'),
          stable: feeBps(1, 'Both are major stablecoins'),
          major: feeBps(6, 'Both are major assets, or one is and the other a major stablecoin'),
          minor: feeBps(15, 'Everything else'),
        },
        { default: {}, additionalProperties: false, description: 'Platform fee by class of the pair' },
      ),
    ),
    rebalancingBps: Type.Optional(
      Type.Object(
        {
          stable: feeBps(2, 'Both are major stablecoins'),
          major: feeBps(10, 'Both are major assets, or one is and the other a major stablecoin'),
          minor: feeBps(30, 'Everything else'),
        },
        {
          default: {},
          additionalProperties: false,
          description: 'Cost of paying another asset out of the inventory than was deposited, by class of the two',
        },
      ),
    ),
    crossAssetInventory: flag(
      true,
      'Pay another asset than was deposited out of the inventory, at the price of the sources; off: only swaps do that',
    ),
    maxPaths: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 50,
        default: 6,
        description: 'Most combinations of deposited and paid currency that a swap is priced over',
      }),
    ),
    maxSwapImpactBps: bps(1_500, 'Share of the value that swaps may cost before a quote is refused'),
    swapDeadlineSeconds: Type.Optional(
      Type.Integer({
        minimum: 30,
        maximum: 86_400,
        default: 1_200,
        description: 'Life of a swap within a transaction',
      }),
    ),
    minimumSameChainUsd: dollars('0.05', 'Same-chain swaps worth less are refused'),
    sanctionedCurrencies: Type.Optional(
      Type.Array(Type.String({ pattern: '^[0-9]+:.+$' }), {
        default: [],
        description: 'Currencies never quoted, each as chain id, colon, address',
      }),
    ),
    sanctionedWallets: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        default: [],
        description: 'Addresses never quoted, as payer or recipient',
      }),
    ),
    blockedWallets: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        default: [],
        description: 'Recipients never quoted, such as deposit addresses of exchanges that lose such payments',
      }),
    ),
    restrictedRoutes: Type.Optional(
      Type.Array(Type.String({ pattern: '^([0-9]+|\\*)->([0-9]+|\\*)$' }), {
        default: [],
        description: 'Pairs of chains that are not quoted, such as "1->10" or "*->10"',
      }),
    ),
    stableSymbols: symbols(STABLE, 'Symbols of the major stablecoins'),
    majorSymbols: symbols(MAJOR, 'Symbols of the major assets'),
    minimumUsd: dollars('0', 'Quotes whose input is worth less are refused'),
    priceSeconds: seconds(30, 'How long the quoted price stands; later deposits are priced anew'),
    holdSeconds: integer(30, LONGEST_HOLD_MS / 1000, 'How long the inventory of a quote is held'),
    orderDeadlineSeconds: Type.Optional(
      Type.Integer({ minimum: 60, maximum: 31_536_000, default: 604_800, description: 'Life of an order' }),
    ),
    sameAssetSlippageBps: bps(DEFAULT_SLIPPAGE.sameAsset, 'Slippage when none is asked for, same asset on both sides'),
    crossAssetSlippageBps: bps(DEFAULT_SLIPPAGE.crossAsset, 'Slippage when none is asked for, different assets'),
    gasShareWideningBps: bps(
      DEFAULT_SLIPPAGE.gasShareWidening,
      'Share of the network cost above which that slippage is widened by the share',
    ),
    maxAutomaticSlippageBps: bps(DEFAULT_SLIPPAGE.maxAutomatic, 'Widest slippage when none is asked for'),
    underpaymentToleranceBps: bps(
      1_000,
      'A deposit at most this much smaller than quoted has the quoted rate; below it the full fees are kept. What gives less than the promised minimum goes back all the same',
    ),
    referrerRequiresKey: flag(true, 'Quotes that name a referrer need an API key'),
    quoteV2KeyRequiredFrom: Type.Optional(
      Type.String({
        pattern: '^(never|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z)$',
        default: '2026-10-02T00:00:00Z',
        description: 'From then on /quote/v2 needs an API key; `never` leaves it open',
      }),
    ),
    forceRefundReferrer: flag(false, 'Honour the referrer debug-force-refund on mainnet too'),
    simulationCacheSeconds: seconds(60, 'How long a recipient counts as able to receive'),
    balanceCacheSeconds: seconds(5, 'How long the balance of a user is shown again'),
    feeCacheSeconds: seconds(5, 'Longest use of one network fee; the chain may say less'),
    cacheEntries: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, default: 5_000, description: 'Most entries of each cache' }),
    ),
    timeEstimateSeconds: Type.Optional(
      Type.Number({ minimum: 0, maximum: 604_800, default: 5, description: 'Expected seconds from deposit to fill' }),
    ),
    timeEstimateByOrigin: Type.Optional(
      Type.Record(Type.String({ pattern: '^[0-9]+$' }), Type.Number({ minimum: 0, maximum: 604_800 }), {
        default: {},
        description: 'The same for single origin chains, by chain id',
      }),
    ),
  },
  { additionalProperties: false },
)

export type QuoteOptions = Static<typeof quoteOptions>

export type PairClass = 'bridge' | 'stable' | 'major' | 'minor'

/** The options with defaults applied, in the units the code computes with. */
export interface QuoteSettings {
  readonly flatExecutionUsd: Usd
  readonly platformBps: Readonly<Record<PairClass, bigint>>
  readonly rebalancingBps: Readonly<Record<PairClass, bigint>>
  readonly crossAssetInventory: boolean
  readonly maxPaths: number
  readonly maxSwapImpactBps: bigint
  readonly swapDeadlineSeconds: number
  readonly minimumSameChainUsd: Usd
  /** Each as `<chain id>:<address>`, lower case. */
  readonly sanctionedCurrencies: ReadonlySet<string>
  readonly sanctionedWallets: ReadonlySet<string>
  readonly blockedWallets: ReadonlySet<string>
  readonly restrictedRoutes: ReadonlySet<string>
  readonly stableSymbols: ReadonlySet<string>
  readonly majorSymbols: ReadonlySet<string>
  readonly minimumUsd: Usd
  readonly priceMs: number
  readonly holdSeconds: number
  readonly orderDeadlineSeconds: number
  readonly sameAssetSlippageBps: bigint
  readonly crossAssetSlippageBps: bigint
  readonly gasShareWideningBps: bigint
  readonly maxAutomaticSlippageBps: bigint
  readonly underpaymentToleranceBps: bigint
  readonly referrerRequiresKey: boolean
  /** Unix milliseconds; infinity for `never`. */
  readonly quoteV2KeyRequiredFrom: number
  readonly forceRefundReferrer: boolean
  readonly simulationCacheMs: number
  readonly balanceCacheMs: number
  readonly feeCacheMs: number
  readonly cacheEntries: number
  timeEstimate(originChainId: number): number
}

const usdOption = (name: string, text: string): Usd => {
  const usd = parseUsd(text)
  if (usd === null || usd < 0n || usd > 1_000_000_000n * ONE_USD)
    throw new Error(`${name} must be an amount of dollars`)
  return usd
}

const dateOption = (text: string): number => {
  if (text === 'never') return Number.POSITIVE_INFINITY
  const time = Date.parse(text)
  if (Number.isNaN(time))
    throw new Error(`quoteV2KeyRequiredFrom must be a date and time in UTC or "never", not ${text}`)
  return time
}

const upperCase = (texts: readonly string[]): ReadonlySet<string> => new Set(texts.map((text) => text.toUpperCase()))

const lowerCase = (texts: readonly string[] = []): ReadonlySet<string> =>
  new Set(texts.map((text) => text.toLowerCase()))

/** Applies the defaults. Throws `Error` naming the option for a value the schema lets through but that means nothing. */
export const readSettings = (options: QuoteOptions): QuoteSettings => {
  const { platformBps = {}, rebalancingBps = {}, timeEstimateByOrigin = {}, timeEstimateSeconds = 5 } = options
  return {
    flatExecutionUsd: usdOption('flatExecutionUsd', options.flatExecutionUsd ?? '0.02'),
    platformBps: {
      bridge: BigInt(platformBps.bridge ?? 0),
      stable: BigInt(platformBps.stable ?? 1),
      major: BigInt(platformBps.major ?? 6),
      minor: BigInt(platformBps.minor ?? 15),
    },
    rebalancingBps: {
      bridge: 0n,
      stable: BigInt(rebalancingBps.stable ?? 2),
      major: BigInt(rebalancingBps.major ?? 10),
      minor: BigInt(rebalancingBps.minor ?? 30),
    },
    crossAssetInventory: options.crossAssetInventory ?? true,
    maxPaths: options.maxPaths ?? 6,
    maxSwapImpactBps: BigInt(options.maxSwapImpactBps ?? 1_500),
    swapDeadlineSeconds: options.swapDeadlineSeconds ?? 1_200,
    minimumSameChainUsd: usdOption('minimumSameChainUsd', options.minimumSameChainUsd ?? '0.05'),
    sanctionedCurrencies: lowerCase(options.sanctionedCurrencies),
    sanctionedWallets: lowerCase(options.sanctionedWallets),
    blockedWallets: lowerCase(options.blockedWallets),
    restrictedRoutes: new Set(options.restrictedRoutes ?? []),
    stableSymbols: upperCase(options.stableSymbols ?? STABLE),
    majorSymbols: upperCase(options.majorSymbols ?? MAJOR),
    minimumUsd: usdOption('minimumUsd', options.minimumUsd ?? '0'),
    priceMs: (options.priceSeconds ?? 30) * 1000,
    holdSeconds: options.holdSeconds ?? 30,
    orderDeadlineSeconds: options.orderDeadlineSeconds ?? 604_800,
    sameAssetSlippageBps: BigInt(options.sameAssetSlippageBps ?? DEFAULT_SLIPPAGE.sameAsset),
    crossAssetSlippageBps: BigInt(options.crossAssetSlippageBps ?? DEFAULT_SLIPPAGE.crossAsset),
    gasShareWideningBps: BigInt(options.gasShareWideningBps ?? DEFAULT_SLIPPAGE.gasShareWidening),
    maxAutomaticSlippageBps: BigInt(options.maxAutomaticSlippageBps ?? DEFAULT_SLIPPAGE.maxAutomatic),
    underpaymentToleranceBps: BigInt(options.underpaymentToleranceBps ?? 1_000),
    referrerRequiresKey: options.referrerRequiresKey ?? true,
    quoteV2KeyRequiredFrom: dateOption(options.quoteV2KeyRequiredFrom ?? '2026-10-02T00:00:00Z'),
    forceRefundReferrer: options.forceRefundReferrer ?? false,
    simulationCacheMs: (options.simulationCacheSeconds ?? 60) * 1000,
    balanceCacheMs: (options.balanceCacheSeconds ?? 5) * 1000,
    feeCacheMs: (options.feeCacheSeconds ?? 5) * 1000,
    cacheEntries: options.cacheEntries ?? 5_000,
    timeEstimate: (originChainId) => timeEstimateByOrigin[String(originChainId)] ?? timeEstimateSeconds,
  }
}
