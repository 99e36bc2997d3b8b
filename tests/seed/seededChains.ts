import type { Currency } from '@causeway/core'
import type { RecordContext } from '@causeway/core/plugin'
import type { Random } from './random.js'

/** A chain of the seeded history, with what is moved on it. */
export interface SeededChain {
  readonly id: number
  readonly slug: string
  readonly vmType: string
  readonly depository: string
  readonly solver: string
  readonly native: SeededCurrency
  /** What is transferred, the most common first. */
  readonly currencies: readonly [SeededCurrency, ...SeededCurrency[]]
}

export interface SeededCurrency {
  readonly json: Omit<Currency, 'groupId'>
  /** Cents of one whole unit. */
  readonly cents: bigint
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

/** How addresses and transactions of each VM look (chains.md, 1 of each chain); checksums are not made. */
const FORMS: Readonly<Record<string, { address(random: Random): string; tx(random: Random): string }>> = {
  evm: { address: (random) => `0x${random.hex(20)}`, tx: (random) => `0x${random.hex(32)}` },
  bvm: { address: (random) => `bc1q${random.text(BECH32, 38)}`, tx: (random) => random.hex(32) },
  svm: { address: (random) => random.text(BASE58, 44), tx: (random) => random.text(BASE58, 88) },
  tvm: { address: (random) => `T${random.text(BASE58, 33)}`, tx: (random) => random.hex(32) },
  tonvm: { address: (random) => `0:${random.hex(32)}`, tx: (random) => random.hex(32) },
  hypevm: { address: (random) => `0x${random.hex(20)}`, tx: (random) => `0x${random.hex(32)}` },
  lvm: { address: (random) => String(1 + random.below(9_999_999)), tx: (random) => random.hex(40) },
  xrpvm: { address: (random) => `r${random.text(BASE58, 33)}`, tx: (random) => random.hex(32).toUpperCase() },
  hederavm: {
    address: (random) => `0.0.${1_000 + random.below(9_999_999)}`,
    tx: (random) =>
      `0.0.${1_000 + random.below(99_999)}@${1_700_000_000 + random.below(90_000_000)}.${String(random.below(1e9)).padStart(9, '0')}`,
  },
}

const formOf = (vmType: string) => {
  const form = FORMS[vmType]
  if (form === undefined) throw new Error(`No address form for ${vmType}`)
  return form
}

export const addressOn = (vmType: string, random: Random): string => formOf(vmType).address(random)
export const txOn = (vmType: string, random: Random): string => formOf(vmType).tx(random)

type CurrencyRow = readonly [symbol: string, address: string, decimals: number, cents: bigint]

const TOKEN_BYTES = 20
const token = (chainId: number, digit: string): string =>
  `0x${(chainId.toString(16) + digit.repeat(TOKEN_BYTES * 2)).slice(0, TOKEN_BYTES * 2)}`

const EVM_NATIVE = `0x${'0'.repeat(TOKEN_BYTES * 2)}`

const evm = (id: number, slug: string): SeededChain =>
  chain(id, slug, 'evm', token(id, 'd'), token(id, 'e'), [
    ['USDC', token(id, 'c'), 6, 100n],
    ['ETH', EVM_NATIVE, 18, 250_000n],
    ['USDT', token(id, 'a'), 6, 100n],
    ['DAI', token(id, 'b'), 18, 100n],
  ])

/** The last-named native currency counts for fees; where none is named so, the first. */
const chain = (
  id: number,
  slug: string,
  vmType: string,
  depository: string,
  solver: string,
  rows: readonly [CurrencyRow, ...CurrencyRow[]],
): SeededChain => {
  const currency = ([symbol, address, decimals, cents]: CurrencyRow): SeededCurrency => ({
    json: {
      chainId: id,
      address,
      symbol,
      name: symbol,
      decimals,
      vmType,
      metadata: {
        logoURI: `https://assets.example/${symbol.toLowerCase()}.svg`,
        verified: true,
        isNative: symbol !== 'USDC' && symbol !== 'USDT' && symbol !== 'DAI',
      },
    },
    cents,
  })
  const [first, ...others] = rows
  const currencies = [currency(first), ...others.map(currency)] as const
  const native = currencies.find(({ json }) => json.metadata.isNative) ?? currencies[0]
  return { id, slug, vmType, depository, solver, native, currencies }
}

/** The busiest first. */
export const SEEDED_CHAINS: readonly [SeededChain, ...SeededChain[]] = [
  evm(8453, 'base'),
  evm(42_161, 'arbitrum'),
  evm(1, 'ethereum'),
  evm(10, 'optimism'),
  evm(137, 'polygon'),
  chain(
    792_703_809,
    'solana',
    'svm',
    '99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2',
    'F7p3dFrjRTbtRp8FRF6qHLomXbKRBzpvBLjtQcfcgmNe',
    [
      ['SOL', '11111111111111111111111111111111', 9, 15_000n],
      ['USDC', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 6, 100n],
    ],
  ),
  chain(728_126_428, 'tron', 'tvm', 'TXtEs6t2oUWQsNos7m68gbHdE9Q5n6x2oN', 'TKzxdSv2FZKQrEqkKVgp5DcwEXBEKMg2Ax', [
    ['USDT', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 6, 100n],
    ['TRX', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', 6, 30n],
  ]),
  chain(
    8_253_038,
    'bitcoin',
    'bvm',
    'bc1qdepositorydepositorydepository00000000',
    'bc1qs0lver0s0lver0s0lver0s0lver0s0lver0000',
    [['BTC', 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8', 8, 9_000_000n]],
  ),
  chain(1_337, 'hyperliquid', 'hypevm', token(1_337, 'd'), token(1_337, 'e'), [
    ['USDC', `0x${'0'.repeat(32)}`, 8, 100n],
  ]),
  chain(224_235_520, 'ton', 'tonvm', `0:${'d0'.repeat(32)}`, `0:${'e0'.repeat(32)}`, [
    ['TON', 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c', 9, 300n],
  ]),
  chain(537_724, 'xrp', 'xrpvm', 'rJBdWA9p5KwBoqSQTyMdg3UHLsJVzGVu5m', 'rEhxGqkqPPSxQ3P25J66ft5TwpzV14k2de', [
    ['XRP', 'rrrrrrrrrrrrrrrrrrrrrhoLvTp', 6, 220n],
  ]),
  chain(3_586_256, 'lighter', 'lvm', '281474976710654', '281474976710655', [['USDC', '0', 6, 100n]]),
  chain(295, 'hedera', 'hederavm', '0.0.900001', '0.0.900002', [
    ['HBAR', '0.0.0', 8, 20n],
    ['USDC', '0.0.456858', 6, 100n],
  ]),
]

const byId = new Map(SEEDED_CHAINS.map((one) => [one.id, one]))

/** What records of the seeded history are built with, as a host with these chains and no options would. */
export const SEEDED_CONTEXT: RecordContext = {
  currencies: {
    find: () => undefined,
    native: (chainId) => {
      const native = byId.get(chainId)?.native.json
      return native === undefined ? undefined : { ...native, groupId: native.symbol.toLowerCase() }
    },
  },
  chains: {
    find: (chainId) => chainsOfContext.find(({ config }) => config.id === chainId),
    all: () => chainsOfContext,
  },
  partnerKey: 'moonpayId',
}

const chainsOfContext = SEEDED_CHAINS.map(
  ({ id, slug, vmType }) =>
    // CAST: a record reads nothing else of a chain.
    ({ config: { id, slug }, adapter: { vmType } }) as unknown as ReturnType<RecordContext['chains']['all']>[number],
)
