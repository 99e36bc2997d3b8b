import type { Hex } from '@causeway/core'
import type { SwapOptions } from './swapOptions.js'

/** Hashes of the creation code of Uniswap's own pairs and pools, which their addresses follow from. */
const UNISWAP_V2_PAIR = '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f'
const UNISWAP_V3_POOL = '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54'

/** Source of wraps and unwraps; no exchange of this name can be configured. */
export const WRAPPED_NATIVE = 'wrapped-native'

export interface UniswapV2Settings {
  readonly name: string
  readonly factory: string
  readonly router: string
  readonly feeBps: bigint
  readonly initCodeHash: Hex
}

export interface UniswapV3Settings {
  readonly name: string
  readonly factory: string
  readonly deployer: string
  readonly quoter: string
  readonly router: string
  readonly routerVersion: 1 | 2
  readonly fees: readonly number[]
  readonly initCodeHash: Hex
}

export interface AggregatorSettings {
  readonly name: string
  readonly url: string
  readonly apiKeyVariable: string | null
  readonly timeoutMs: number
}

/** `options.swap` with every default filled in and addresses in lower case. */
export interface SwapSettings {
  readonly router: string
  readonly wrappedNative: string
  readonly multicall: string | null
  /** Tokens between the pools of a route; the wrapped native one is the first. */
  readonly connectors: readonly string[]
  readonly priceDepths: ReadonlyMap<string, bigint>
  readonly uniswapV2: readonly UniswapV2Settings[]
  readonly uniswapV3: readonly UniswapV3Settings[]
  readonly aggregators: readonly AggregatorSettings[]
}

const lower = (text: string): string => text.toLowerCase()
const lowerHash = (text: string): Hex => text.toLowerCase() as Hex

/** Throws Error when two sources have the same name. */
export const resolveSwapOptions = (options: SwapOptions): SwapSettings => {
  const wrappedNative = lower(options.wrappedNative)
  const settings: SwapSettings = {
    router: lower(options.router),
    wrappedNative,
    multicall: options.multicall === undefined ? null : lower(options.multicall),
    connectors: [...new Set([wrappedNative, ...(options.connectors ?? []).map(lower)])],
    priceDepths: new Map((options.priceDepths ?? []).map(({ token, amount }) => [lower(token), BigInt(amount)])),
    uniswapV2: (options.uniswapV2 ?? []).map(uniswapV2),
    uniswapV3: (options.uniswapV3 ?? []).map(uniswapV3),
    aggregators: (options.aggregators ?? []).map(({ name, url, apiKeyVariable, timeoutMs }) => ({
      name,
      url: url.replace(/\/+$/, ''),
      apiKeyVariable: apiKeyVariable ?? null,
      timeoutMs: timeoutMs ?? 1500,
    })),
  }
  const names = [WRAPPED_NATIVE, ...sourceNames(settings)]
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`Two swap sources are called "${twice}"; names must differ.`)
  return settings
}

/** Names of the configured sources, as `GET /swap-sources` lists them. */
export const sourceNames = ({ uniswapV2, uniswapV3, aggregators }: SwapSettings): readonly string[] =>
  [...uniswapV2, ...uniswapV3, ...aggregators].map(({ name }) => name)

const uniswapV2 = (source: NonNullable<SwapOptions['uniswapV2']>[number]): UniswapV2Settings => ({
  name: source.name,
  factory: lower(source.factory),
  router: lower(source.router),
  feeBps: BigInt(source.feeBps ?? 30),
  initCodeHash: lowerHash(source.initCodeHash ?? UNISWAP_V2_PAIR),
})

const uniswapV3 = (source: NonNullable<SwapOptions['uniswapV3']>[number]): UniswapV3Settings => ({
  name: source.name,
  factory: lower(source.factory),
  deployer: lower(source.deployer ?? source.factory),
  quoter: lower(source.quoter),
  router: lower(source.router),
  routerVersion: source.routerVersion ?? 1,
  fees: source.fees ?? [100, 500, 3000, 10_000],
  initCodeHash: lowerHash(source.initCodeHash ?? UNISWAP_V3_POOL),
})
