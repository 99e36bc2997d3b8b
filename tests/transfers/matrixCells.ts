import type { ChainTesting } from '@causeway/core/testing'
import { chainTestingOf } from './servedChain.js'

/** A kind of chain in the matrix. */
export interface MatrixLine {
  readonly package: string
  /** Dollars of one whole unit of its native currency, a whole number. */
  readonly usd: bigint
  /** Decimals of tokens on its first chain and on its second, where it has tokens: others on each, so that mistakes show. */
  readonly tokenDecimals?: readonly [number, number]
  /** Standard of its dollar, where it has several. */
  readonly dollarStandard?: string
}

/** Value moves from each of these to each of them: a new VM joins with its line. */
const MATRIX: readonly MatrixLine[] = [
  { package: '@causeway/chain-evm', usd: 2_000n, tokenDecimals: [18, 6] },
  { package: '@causeway/chain-svm', usd: 100n, tokenDecimals: [6, 9], dollarStandard: 'token-2022' },
  { package: '@causeway/chain-bvm', usd: 60_000n },
  { package: '@causeway/chain-xrpvm', usd: 2n, tokenDecimals: [15, 15] },
  { package: '@causeway/chain-hederavm', usd: 1n, tokenDecimals: [6, 8] },
  { package: '@causeway/chain-tonvm', usd: 3n, tokenDecimals: [6, 9] },
  { package: '@causeway/chain-tvm', usd: 1n, tokenDecimals: [6, 18], dollarStandard: 'tether' },
  { package: '@causeway/chain-hypevm', usd: 1n, tokenDecimals: [8, 6] },
  { package: '@causeway/chain-lvm', usd: 1n, tokenDecimals: [8, 8] },
]

export interface MatrixKind extends MatrixLine {
  readonly testing: ChainTesting
}

export const loadKinds = (): Promise<readonly MatrixKind[]> =>
  Promise.all(MATRIX.map(async (line) => ({ ...line, testing: await chainTestingOf(line.package) })))

/** What one transfer of the matrix is. */
export interface Cell {
  readonly from: MatrixKind
  readonly to: MatrixKind
  readonly symbol: string
  /** What the recipient gets. */
  readonly into: string
  readonly end: 'success' | 'refund'
  /** Names the cell: `evm to svm, ETH, success`. */
  readonly name: string
}

/** A currency with tokens on every kind of chain that has any. */
export const DOLLAR = { symbol: 'USDC', name: 'Dollar', groupId: 'usdc', usd: 1n }

const currenciesOf = ({ from, to }: Pick<Cell, 'from' | 'to'>): readonly (readonly [string, string])[] => {
  const has = ({ testing }: MatrixKind, symbol: string) => testing.sandbox.hasTokens || testing.native.symbol === symbol
  const natives = [from, to].map(({ testing }) => testing.native.symbol) as [string, string]
  const both = [...new Set([...natives, DOLLAR.symbol])].filter((symbol) => has(from, symbol) && has(to, symbol))
  return both.length > 0 ? both.map((symbol) => [symbol, symbol]) : [natives]
}

/** Every origin and destination, each currency that both have (two without tokens: the native ones), a fill and a refund of each. */
export const cellsOf = (kinds: readonly MatrixKind[]): readonly Cell[] =>
  pairsOf(kinds).flatMap((pair) => currenciesOf(pair).flatMap((pick) => endsOf(pair, pick)))

const endsOf = (pair: Pick<Cell, 'from' | 'to'>, [symbol, into]: readonly [string, string]): readonly Cell[] =>
  (['success', 'refund'] as const).map((end) => cellOf({ ...pair, symbol, into, end }))

/** Each kind to the next one, and the last to the first: its native currency and a token where it has tokens, a fill and a refund each. */
export const ringOf = (kinds: readonly MatrixKind[]): readonly Cell[] =>
  kinds.flatMap((from, at) => {
    const pair = { from, to: kinds[(at + 1) % kinds.length] ?? from }
    const currencies = currenciesOf(pair)
    const isNative = ([symbol]: readonly [string, string]) => symbol === from.testing.native.symbol
    const ring = [currencies.find(isNative), currencies.findLast((one) => !isNative(one))]
    return ring.flatMap((pick) => (pick === undefined ? [] : endsOf(pair, pick)))
  })

/** Several fills at once between all chains of different kinds. */
export const crowdOf = (kinds: readonly MatrixKind[], size: number): readonly Cell[] =>
  pairsOf(kinds).flatMap((pair) => {
    if (pair.from === pair.to) return []
    const [symbol, into] = currenciesOf(pair).at(-1) ?? ['', '']
    return Array.from({ length: size }, () => cellOf({ ...pair, symbol, into, end: 'success' }))
  })

const pairsOf = (kinds: readonly MatrixKind[]) => kinds.flatMap((from) => kinds.map((to) => ({ from, to })))

const cellOf = (cell: Omit<Cell, 'name'>): Cell => {
  const { from, to, symbol, into, end } = cell
  const what = symbol === into ? symbol : `${symbol} to ${into}`
  return { ...cell, name: `${from.testing.vmType} to ${to.testing.vmType}, ${what}, ${end}` }
}
