import { randomBytes } from 'node:crypto'
import { bytesToHex, environmentOf, type Hex, type Json, systemClock } from '@causeway/core'
import {
  type Arrival,
  createEd25519Signer,
  type DepositAddress,
  type DepositEvent,
  type Live,
  NOTHING_LIVE,
  type Payout,
  type RpcEndpoint,
  type SignedAttempt,
  type WatchPage,
} from '@causeway/core/chain'
import { PublicKey } from '@solana/web3.js'
import { pino } from 'pino'
import { expect } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { accountAt, eventually, sendStep } from '../lane/payWorld.test.support.js'
import type { SvmOptions } from '../options.js'
import { SvmAdapter } from '../svmAdapter.js'
import { accountOf, type LocalSvmChain } from '../testing/index.js'
import { poolKeyOf } from './addressKeys.js'
import type { SvmDepositAddresses } from './svmDepositAddresses.js'

export const seed = randomBytes(32)
export const PATIENCE = { timeout: 60_000, interval: 20 }

/** An adapter with deposit addresses over a local chain; account 0 is the user, account 1 the solver. */
export const createAddressWorld = (
  chain: LocalSvmChain,
  setup: {
    readonly tokens?: readonly string[]
    readonly endpoints?: readonly RpcEndpoint[]
    readonly options?: Partial<SvmOptions>
    readonly onRpcCall?: (method: string) => void
  } = {},
) => {
  const [user, solver, vault] = [accountAt(chain, 0), accountAt(chain, 1), accountOf(`0x${'7a'.repeat(32)}`)]
  const shared = { symbol: 'X', name: 'X', decimals: 6, groupId: 'x' }
  const config = {
    id: 9_000_001,
    slug: 'local-svm',
    name: 'Local',
    package: '@causeway/chain-svm',
    rpc: setup.endpoints ?? [{ http: chain.rpcUrl }],
    currencies: [NATIVE, ...(setup.tokens ?? [])].map((address) => ({ ...shared, address })),
    confirmations: { fill: 1, success: 1, settle: 32, settleSeconds: 0 },
    solver: solver.address,
    enabled: true,
    options: {},
  }
  const options = {
    depository: vault.address,
    depositPoolKey: poolKeyOf(seed),
    genesisHash: chain.genesisHash,
    pollIntervalMs: 30,
    ...setup.options,
  }
  const environment = environmentOf({})
  const logger = pino({ level: 'silent' })
  const { onRpcCall } = setup
  const deps = { config, clock: systemClock, logger, environment }
  const adapter = new SvmAdapter(options, deps, onRpcCall === undefined ? {} : { onRpcCall })
  const { depositAddresses, lane } = adapter
  if (depositAddresses === undefined) throw new Error('The adapter has no deposit addresses.')
  const signer = createEd25519Signer(solver.privateKey)
  let sequence = 0
  const sign = async (payout: Payout): Promise<SignedAttempt> => {
    await chain.advance(1)
    const { prepared } = await lane.prepare([{ payout, gas: null }], { sequence })
    sequence += 1
    const [item] = prepared
    if (item === undefined || item === null) throw new Error('nothing was prepared')
    return lane.sign(item, signer, undefined, seed)
  }
  const settled = (attempt: SignedAttempt, payout: Payout) =>
    eventually(`the inclusion of ${attempt.txId}`, async () => {
      const [state] = await lane.states([{ txId: attempt.txId, payout }])
      if (state?.status === 'success' || state?.status === 'reverted') return state
      await chain.advance(1)
      return null
    })
  return {
    adapter,
    addresses: depositAddresses satisfies SvmDepositAddresses,
    lane,
    signer,
    user,
    solver,
    vault,
    newAddress: (depositor = user.address): DepositAddress => {
      const { destination, derivation } = depositAddresses.pool.make(seed, bytesToHex(randomBytes(32)))
      return { orderId: bytesToHex(randomBytes(32)), depositor, destination, derivation: { ...Object(derivation) } }
    },
    /** As the user's wallet pays by the step of a quote. */
    pay: async (to: DepositAddress, amount: bigint, currency = NATIVE): Promise<string> => {
      const request = { from: user.address, to: to.destination, money: { currency, amount } }
      const [step] = await depositAddresses.buildPayment(request)
      return sendStep(chain, step?.data ?? null, user)
    },
    sweepOf: (address: DepositAddress, amount: bigint, currency = NATIVE, others: readonly string[] = []): Payout => ({
      purpose: 'sweep',
      orderId: address.orderId,
      from: solver.address,
      to: { address: vault.address },
      money: { currency, amount },
      calls: [],
      sweep: { address, currencies: [currency, ...others] },
    }),
    sign,
    settled,
    sweep: async (payout: Payout) => {
      const attempt = await sign(payout)
      expect(await lane.broadcast([attempt])).toEqual([{ outcome: 'known' }])
      return { ...(await settled(attempt, payout)), attempt }
    },
    /** Lamports, or tokens of all accounts of an owner. */
    balance: async (address: string, mint?: string): Promise<bigint> => {
      const key = new PublicKey(address)
      if (mint === undefined) return BigInt(await chain.connection.getBalance(key, 'confirmed'))
      const { value } = await chain.connection.getTokenAccountsByOwner(key, { mint: new PublicKey(mint) }, 'confirmed')
      return value.reduce((sum, { account }) => sum + account.data.readBigUInt64LE(64), 0n)
    },
    start: () => adapter.start(new AbortController().signal),
    close: () => adapter.stop(),
  }
}

export type AddressWorld = ReturnType<typeof createAddressWorld>

/** A set of live addresses, those that are added after the next `refresh`, and how often it was refreshed. */
export const liveSet = (first: Iterable<string>): Live & { readonly set: Set<string>; refreshes: number } => {
  const set = new Set(first)
  let known = new Set<string>()
  return {
    set,
    refreshes: 0,
    async refresh() {
      this.refreshes += 1
      known = new Set(set)
    },
    has: (address) => known.has(address),
    awaits: () => false,
    get size() {
      return known.size
    },
  }
}

export interface Following {
  readonly pages: WatchPage[]
  readonly arrivals: Arrival[]
  cursor(): Json
  stop(): Promise<void>
}

/** Follows the watcher in the background. */
export const follow = ({ adapter }: Pick<AddressWorld, 'adapter'>, live: Live, cursor: Json): Following => {
  const control = new AbortController()
  const pages: WatchPage[] = []
  const arrivals: Arrival[] = []
  const run = (async () => {
    for await (const page of adapter.watch(cursor, live, control.signal)) {
      pages.push(page)
      arrivals.push(...(page.arrivals ?? []))
    }
  })()
  return {
    pages,
    arrivals,
    cursor: () => JSON.parse(JSON.stringify(pages.at(-1)?.cursor ?? cursor)),
    stop: async () => {
      control.abort()
      await run
    },
  }
}

/** Deposits that the ordinary watcher shows of an order, from a cursor on, once there are so many. */
export const depositsOf = async (
  { adapter }: Pick<AddressWorld, 'adapter'>,
  cursor: Json,
  orderId: Hex,
  count: number,
): Promise<readonly DepositEvent[]> => {
  const control = new AbortController()
  const found: DepositEvent[] = []
  for await (const page of adapter.watch(cursor, NOTHING_LIVE, control.signal)) {
    found.push(...page.deposits.filter((deposit) => deposit.orderId === orderId))
    if (found.length >= count) break
  }
  control.abort()
  return found
}

/** Where the ordinary watcher is now. */
export const depositCursor = async ({ adapter }: Pick<AddressWorld, 'adapter'>): Promise<Json> => {
  const control = new AbortController()
  for await (const page of adapter.watch(null, NOTHING_LIVE, control.signal)) {
    control.abort()
    return page.cursor
  }
  return null
}
