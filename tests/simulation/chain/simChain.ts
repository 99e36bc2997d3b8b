import { environmentOf } from '@causeway/core'
import type { ChainConfig, ChainDeps } from '@causeway/core/chain'
import type { OpenTransport } from '@causeway/core/chain-kit'
import type { Chain } from '@causeway/core/plugin'
import { simAdapter } from './simAdapter.js'
import type { SimLedger } from './simLedger.js'

/** What a chain of the simulation needs of the host that runs it. */
export type SimChainDeps = Pick<ChainDeps, 'clock' | 'logger'>

/** What may differ from one simulation to the next. */
export interface SimChainSettings {
  /** Two providers above 100 dollars unless told. */
  readonly quorum?: NonNullable<ChainConfig['quorum']>
  readonly limits?: NonNullable<ChainConfig['limits']>
  readonly pollIntervalMs?: number
  readonly rpcTimeoutMs?: number
  /** Blocks within which a payment must land. */
  readonly expiryBlocks?: number
  /** Whether users may pay to addresses of their quotes; not unless told. */
  readonly addresses?: boolean
  /** Whether users may pay by a signature, or have calls sent; not unless told. */
  readonly permits?: boolean
}

/** Longer where a payment can be replaced: bumps and cancels come before its end. */
const EXPIRY_BLOCKS = { final: 60, reorging: 10 } as const

const QUORUM = [{ aboveUsd: '100', agreeing: 2 }]

/** Dollars of one whole unit of what the chains list, by symbol. */
export const SIM_PRICES: Readonly<Record<string, string>> = { COIN: '2', USDC: '1' }

/** The configuration of a simulated ledger: each of its nodes is of a provider of its own. */
export const simChainConfig = (ledger: SimLedger, settings: SimChainSettings = {}): ChainConfig => ({
  id: ledger.chainId,
  slug: ledger.slug,
  name: ledger.slug,
  package: 'causeway-chain-example',
  rpc: ledger.nodes.map(({ url, name }) => ({ http: url, provider: name })),
  currencies: [
    { address: ledger.coin, symbol: 'COIN', name: 'Coin', decimals: 6, groupId: 'coin' },
    { address: ledger.token, symbol: 'USDC', name: 'Dollar', decimals: 6, groupId: 'usdc' },
  ],
  confirmations: { fill: 1, success: 1, settle: ledger.settle, settleSeconds: 0 },
  quorum: settings.quorum ?? QUORUM,
  solver: ledger.keys.payer.address,
  ...(settings.permits === true ? { originSender: ledger.keys.sender.address } : {}),
  enabled: true,
  limits: settings.limits ?? { perHour: [] },
  options: {},
})

/** A simulated ledger as a host's chain; one for each host. */
export const createSimChain = (
  ledger: SimLedger,
  { clock, logger }: SimChainDeps,
  transport: OpenTransport,
  settings: SimChainSettings = {},
): Chain => {
  const config = simChainConfig(ledger, settings)
  const { pollIntervalMs = 500, rpcTimeoutMs = 2_000, expiryBlocks = EXPIRY_BLOCKS[ledger.kind] } = settings
  const { kind, slug, depository } = ledger
  const { addresses = false } = settings
  const permits = settings.permits === true ? ledger.token : null
  const options = { kind, addresses, permits, network: slug, depository, pollIntervalMs, rpcTimeoutMs, expiryBlocks }
  return {
    config,
    adapter: simAdapter(options, { config, clock, logger, environment: environmentOf({}) }, transport),
  }
}
