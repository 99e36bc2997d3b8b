import { randomBytes } from 'node:crypto'
import { bytesToHex, environmentOf, type Hex, systemClock } from '@causeway/core'
import {
  type ChainConfig,
  createSecp256k1Signer,
  type DepositEvent,
  NOTHING_LIVE,
  type Payout,
  type RpcEndpoint,
  type SignedAttempt,
} from '@causeway/core/chain'
import { evmAddressOfKey } from '@causeway/core/chain-kit'
import { pino } from 'pino'
import { type HypeAdapter, hypeAdapter } from './adapter.js'
import { NATIVE, USDC } from './address/addresses.js'
import { depositKeyOf } from './depositAddress/depositAddresses.js'
import { memoryMappings } from './memoryMappings.test.support.js'
import { type HypeOptions, SPOT_USDC } from './options.js'
import { HyperliquidWallet } from './testing/hyperliquidWallet.js'
import { startLocalHyperliquid } from './testing/node/localHyperliquid.js'

export const CHAIN_ID = 71_009
export const SPOT = SPOT_USDC.testnet
const DEPOSIT_KEY = depositKeyOf(Buffer.alloc(32, 0x5e))
const FUNDS = 10_000n * USDC

export const newKey = () => {
  const secret = bytesToHex(randomBytes(32))
  const signer = createSecp256k1Signer(secret)
  return { secret, signer, address: evmAddressOfKey(signer.publicKey) }
}

export const newOrder = (): Hex => bytesToHex(randomBytes(32))

export const only = <T>(items: readonly T[]): T => {
  const [item] = items
  if (item === undefined || items.length !== 1) throw new Error(`There are ${items.length} items, not one.`)
  return item
}

/** A local exchange whose blocks come on demand, with a solver, a depository and a user. */
export const openHypeWorld = async () => {
  const chain = await startLocalHyperliquid({ chainId: CHAIN_ID, blockMs: 0 })
  const [solver, vault, owner] = [newKey(), newKey(), newKey()]
  await chain.open(vault.address)
  for (const { address } of [solver, owner]) for (const held of [NATIVE, SPOT]) await chain.fund(address, FUNDS, held)
  const mappings = memoryMappings()
  const configOf = (rpc: readonly RpcEndpoint[]): ChainConfig => ({
    ...{ id: CHAIN_ID, slug: 'local-hyperliquid', name: 'Local', package: '@causeway/chain-hypevm', rpc },
    currencies: [{ address: NATIVE, symbol: 'USDC', name: 'USDC', decimals: 8, groupId: 'usdc' }],
    confirmations: { fill: 1, success: 1, settle: 0, settleSeconds: 0 },
    ...{ solver: solver.address, enabled: true, options: {} },
  })
  const endpoint: RpcEndpoint = { ...chain.endpoint, provider: 'local' }
  const adapterOver = (options: Partial<HypeOptions> = {}, rpc: readonly RpcEndpoint[] = [endpoint]): HypeAdapter =>
    hypeAdapter(
      {
        ...{ depository: vault.address, depositKey: DEPOSIT_KEY, windowSeconds: 150, lagMs: 0, mappingWaitSeconds: 0 },
        ...{ pollIntervalMs: 50, rpcTimeoutMs: 1500, endpointCheckMs: 500, ...options },
      },
      {
        ...{ config: configOf(rpc), clock: systemClock, logger: pino({ level: 'silent' }) },
        ...{ environment: environmentOf({}), nonceMappings: mappings },
      },
    )
  return {
    ...{
      chain,
      solver,
      vault,
      owner,
      mappings,
      endpoint,
      adapterOver,
      wallet: new HyperliquidWallet(chain, owner.secret),
    },
    /** Registers which order a nonce is for. */
    map: (id: Hex, nonce: number, wallet: string = owner.address, depositor: string = wallet) =>
      mappings.register({ chainId: CHAIN_ID, wallet, depositor, nonce, id }, { holder: null }),
    payout: (to: string, more: Partial<Payout> = {}): Payout => ({
      ...{ purpose: 'fill', orderId: newOrder(), from: solver.address, to: { address: to }, calls: [] },
      money: { currency: NATIVE, amount: 5n * USDC },
      ...more,
    }),
  }
}

export type HypeWorld = Awaited<ReturnType<typeof openHypeWorld>>

/** Reads deposits from a height on until one fits. */
export const depositsFrom = async (
  adapter: HypeAdapter,
  height: bigint,
  enough: (deposit: DepositEvent) => boolean,
): Promise<readonly DepositEvent[]> => {
  const stop = AbortSignal.timeout(20_000)
  const found: DepositEvent[] = []
  for await (const { deposits } of adapter.watch((await adapter.cursorAt?.(height)) ?? null, NOTHING_LIVE, stop)) {
    found.push(...deposits)
    if (deposits.some(enough)) return found
  }
  throw new Error(`The deposit did not come: ${found.length} others did.`)
}

/** Prepares and signs one payout at the beginning of the lane. */
export const signOne = async (
  { lane }: Pick<HypeAdapter, 'lane'>,
  { solver, vault }: Pick<HypeWorld, 'solver' | 'vault'>,
  payout: Payout,
): Promise<SignedAttempt> => {
  const { position } = await lane.read(payout.from, null)
  const { prepared } = await lane.prepare([{ payout, gas: null }], position)
  const attempt = only(prepared)
  if (attempt === null) throw new Error('Nothing was prepared.')
  return lane.sign(attempt, solver.signer, vault.signer)
}
