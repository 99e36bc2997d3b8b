import { createHash, generateKeyPairSync, sign, verify } from 'node:crypto'
import { destinationText, type Hex } from '@causeway/core'
import type {
  ChainAdapter,
  ChainConfig,
  ChainMoney,
  CurrencyConfig,
  DepositAddresses,
  Destination,
  SwapOffer,
} from '@causeway/core/chain'
import type { Chain } from '@causeway/core/plugin'

export const ZERO = `0x${'0'.repeat(40)}`
export const DEAD = '0x000000000000000000000000000000000000dead'
/** A token that the solver does not hold, reached by a swap. */
export const TOKEN = `0x${'7e'.repeat(20)}`
const ACCOUNT = /^0x[0-9a-fA-F]{40}$/

export const usdc = (chainId: number): string => `0x${`c${chainId}`.repeat(20)}`

/** What a stand-in answers; a test changes what it needs. */
export interface AddressMood {
  /** Native fee of a sweep. */
  sweepFee: bigint
  /** The next addresses that are derived; empty: what the terms give. */
  derived: string[]
  /** How many addresses the same terms have; absent: one. */
  turns?: number
  /** By chain: what lies at every address. */
  holdings: Map<number, readonly ChainMoney[] | Error>
  looks: number
}

const hashed = (text: string): string => `0x${createHash('sha256').update(text).digest('hex').slice(0, 40)}`

const { publicKey, privateKey } = generateKeyPairSync('ed25519')

/** Whose addresses `forged` ones are not. */
const poolDouble = (): NonNullable<DepositAddresses['pool']> => {
  const bytesOf = (destination: Destination) => Buffer.from(destinationText(destination))
  return {
    make: (_seed, salt) => {
      const destination = { address: hashed(salt) }
      return {
        destination,
        derivation: { salt },
        signature: `0x${sign(null, bytesOf(destination), privateKey).toString('hex')}`,
      }
    },
    publicKey: () => publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    isGenuine: ({ destination, signature }) =>
      verify(null, bytesOf(destination), publicKey, Buffer.from(signature.slice(2), 'hex')),
  }
}

const addressesDouble = (chainId: number, pooled: boolean, mood: AddressMood): DepositAddresses => ({
  forms: [pooled ? 'hd-key' : 'contract'],
  isSweptByKey: pooled,
  get turns() {
    return mood.turns ?? 1
  },
  ...(pooled
    ? { pool: poolDouble() }
    : {
        derive: ({ orderId, depositor }, turn = 0) => {
          const address = mood.derived.shift() ?? hashed(`${orderId}${depositor}${turn === 0 ? '' : turn}`)
          return { destination: { address }, derivation: { orderId, depositor } }
        },
      }),
  buildPayment: async ({ from, to, money }) => [
    {
      stepId: 'deposit',
      kind: 'transaction',
      action: 'Confirm',
      description: 'Pay',
      data: { from, to: to.address, value: money.amount.toString(), data: '0x', currency: money.currency, chainId },
    },
  ],
  holdings: async (addresses, currencies) => {
    mood.looks++
    const lying = mood.holdings.get(chainId) ?? []
    if (lying instanceof Error) throw lying
    return addresses.map(() => lying.filter(({ currency }) => currencies.includes(currency)))
  },
  sweepFee: async () => ({ network: { currency: ZERO, amount: mood.sweepFee }, validForMs: 0 }),
})

interface ChainKind {
  readonly vmType?: string
  readonly addresses?: 'derived' | 'pooled'
  readonly refundToDepositor?: boolean
}

const currency = (address: string, symbol: string, decimals: number): CurrencyConfig => ({
  ...{ address, symbol, decimals },
  name: symbol,
  groupId: symbol.toLowerCase(),
})

const swaps: NonNullable<ChainAdapter['swaps']> = {
  ...{ sources: ['pool'], wrappedNative: null, router: null, payouts: true, deposits: 'all' },
  offers: async (requests) =>
    requests.map(({ from, to, amount }): SwapOffer[] => [
      {
        source: 'pool',
        from,
        to,
        amountIn: amount,
        amountOut: amount,
        hops: 1,
        midAmountOut: amount,
        gas: 1n,
        route: null,
      },
    ]),
}

/** A chain with addresses of the EVM form and no network behind it: what quotes and the routes of addresses ask of one. */
export const addressChain = (id: number, mood: AddressMood, kind: ChainKind = {}): Chain => {
  const { vmType = 'evm', addresses, refundToDepositor = true } = kind
  const fee = async () => ({ network: { currency: ZERO, amount: 10n ** 13n }, validForMs: 1000 })
  const adapter: Partial<ChainAdapter> = {
    ...{ chainId: id, slug: `chain${id}`, vmType, placeholders: [DEAD], maxAmount: 2n ** 256n - 1n, swaps },
    capabilities: {
      ...{ tokens: true, destinationCalls: true, simulation: 'full', bump: 'replace', mempoolVisibility: false },
      ...{ depositBinding: 'contract-arg', destinationTag: false, maxOriginTxBytes: null, refundToDepositor },
    },
    native: { address: ZERO, symbol: 'ETH', name: 'Ether', decimals: 18 },
    depository: `0x${'de'.repeat(20)}`,
    fillContract: `0x${'f1'.repeat(20)}`,
    validateAddress: (text) =>
      ACCOUNT.test(text) ? { ok: true, canonical: text.toLowerCase() } : { ok: false, why: 'wrong form' },
    normalizeCurrency: (text) => (ACCOUNT.test(text) ? text.toLowerCase() : null),
    sameAddress: (left, right) => left.toLowerCase() === right.toLowerCase(),
    orderExtraData: (): Hex => '0x',
    getBalances: async (queries) => ({ amounts: queries.map(() => 0n), height: 5n }),
    estimateDepositFee: fee,
    estimatePayoutFee: fee,
    recipientStatus: async () => ({ canReceive: true, least: 0n }),
    simulate: async () => ({ ok: true, gas: 50_000n, block: 9n }),
    readToken: async (address) => (address === TOKEN ? { symbol: 'TOK', name: 'Token', decimals: 6 } : null),
    ...(addresses === undefined ? {} : { depositAddresses: addressesDouble(id, addresses === 'pooled', mood) }),
  }
  const config: ChainConfig = {
    ...{
      id,
      slug: `chain${id}`,
      name: `Chain ${id}`,
      package: '@causeway/chain-evm',
      rpc: [],
      enabled: true,
      options: {},
    },
    currencies: [currency(ZERO, 'ETH', 18), currency(usdc(id), 'USDC', 6)],
    confirmations: { fill: 1, success: 1, settle: 1, settleSeconds: 1 },
    solver: `0x${'51'.repeat(20)}`,
  }
  // CAST: members that quotes never ask are left out on purpose; a call to one fails the test.
  return { config, adapter: adapter as ChainAdapter }
}
