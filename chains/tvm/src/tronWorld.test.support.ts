import { randomBytes } from 'node:crypto'
import { depositoryBytecode } from '@causeway/contracts-abi'
import { bytesToHex, environmentOf, type Hex, systemClock } from '@causeway/core'
import {
  type AttemptState,
  type ChainConfig,
  createSecp256k1Signer,
  type Payout,
  type RpcEndpoint,
  type SignedAttempt,
} from '@causeway/core/chain'
import { pino } from 'pino'
import { type TronAdapter, tronAdapter } from './adapter.js'
import { NATIVE } from './address/addresses.js'
import { addressOfKey } from './address/keyAddress.js'
import type { TronOptions } from './options.js'
import { startLocalTron } from './testing/node/localTron.js'
import { type TronTokenKind, tokenPlan } from './testing/tokens/tokenPlans.js'
import { words } from './testing/tokens/words.js'
import { TronReader } from './testing/tronReader.js'
import { TronWallet } from './testing/tronWallet.js'

export const CHAIN_ID = 728_126_428
export const TRX = 1_000_000n
export const WINDOW_SECONDS = 60
/** Blocks that may be replaced. */
export const LAG = 3

export const newKey = () => {
  const secret = bytesToHex(randomBytes(32))
  const signer = createSecp256k1Signer(secret)
  return { secret, signer, address: addressOfKey(signer.publicKey) }
}

export const newOrderId = (): Hex => bytesToHex(randomBytes(32))

export const only = <T>(items: readonly T[]): T => {
  const [item] = items
  if (item === undefined || items.length !== 1) throw new Error(`There are ${items.length} items, not one.`)
  return item
}

/** A local network whose blocks come on demand, with a depository, USDT, a funded solver and a funded user. */
export const openTronWorld = async () => {
  const chain = await startLocalTron({ chainId: CHAIN_ID, blockMs: 0 })
  await chain.setSolidityLag(LAG)
  const genesisHash = (await chain.genesisHash()).replace(/^0x/, '')
  const [solver, allocator, user] = [newKey(), newKey(), newKey()]
  const depository = await chain.deploy({
    bytecode: depositoryBytecode + words(allocator.address, allocator.address),
    name: 'Depository',
  })
  /** A token that solver and user hold. */
  const newToken = async (kind: TronTokenKind): Promise<string> => {
    const address = await chain.deploy(tokenPlan({ name: 'Token', symbol: 'TOK', decimals: 6, kind }))
    for (const { address: holder } of [solver, user]) await chain.fund(holder, 1_000_000n * TRX, address)
    return address
  }
  for (const { address } of [solver, user]) await chain.fund(address, 100_000n * TRX)
  const usdt = await newToken('tether')
  const wallet = new TronWallet(new TronReader({ chainId: CHAIN_ID, endpoint: chain.endpoint }), user.secret)
  const configOf = (rpc: readonly RpcEndpoint[]): ChainConfig => ({
    ...{ id: CHAIN_ID, slug: 'local-tron', name: 'Local', package: '@causeway/chain-tvm', rpc },
    currencies: [
      { address: NATIVE, symbol: 'TRX', name: 'TRON', decimals: 6, groupId: 'trx' },
      { address: usdt, symbol: 'USDT', name: 'Tether USD', decimals: 6, groupId: 'usdt' },
    ],
    confirmations: { fill: 1, success: 1, settle: LAG, settleSeconds: 0 },
    ...{ solver: solver.address, enabled: true, options: {} },
  })
  const endpoint: RpcEndpoint = { ...chain.endpoint, provider: 'local' }
  const adapterOver = (
    options: Partial<TronOptions> = {},
    rpc: readonly RpcEndpoint[] = [endpoint],
    variables: Readonly<Record<string, string>> = {},
  ): TronAdapter =>
    tronAdapter(
      {
        ...{ depository, genesisHash, windowSeconds: WINDOW_SECONDS },
        ...{ pollIntervalMs: 50, rpcTimeoutMs: 1500, endpointCheckMs: 200, ...options },
      },
      {
        ...{ config: configOf(rpc), clock: systemClock, logger: pino({ level: 'silent' }) },
        environment: environmentOf(variables),
      },
    )
  return {
    ...{ chain, endpoint, genesisHash, solver, allocator, user, depository, usdt, wallet, newToken, adapterOver },
    payout: (to: string, more: Partial<Payout> = {}): Payout => ({
      ...{ purpose: 'fill', orderId: newOrderId(), from: solver.address, to: { address: to }, calls: [] },
      money: { currency: NATIVE, amount: 5n * TRX },
      ...more,
    }),
  }
}

export type TronWorld = Awaited<ReturnType<typeof openTronWorld>>

/** Prepares and signs payouts at the beginning of the lane. */
export const signAll = async (
  { lane }: Pick<TronAdapter, 'lane'>,
  { solver }: Pick<TronWorld, 'solver'>,
  ...payouts: readonly Payout[]
): Promise<readonly SignedAttempt[]> => {
  const { position } = await lane.read(solver.address, null)
  const { prepared } = await lane.prepare(
    payouts.map((payout) => ({ payout, gas: null })),
    position,
  )
  return Promise.all(
    prepared.map((attempt) => {
      if (attempt === null) throw new Error('Nothing was prepared.')
      return lane.sign(attempt, solver.signer)
    }),
  )
}

export const stateOf = async (
  { lane }: Pick<TronAdapter, 'lane'>,
  { txId }: SignedAttempt,
  payout: Payout,
): Promise<AttemptState> => only(await lane.states([{ txId, payout }]))
