import { randomBytes } from 'node:crypto'
import { bytesToHex, environmentOf, systemClock } from '@causeway/core'
import {
  type ChainConfig,
  compressPublicKey,
  createSecp256k1Signer,
  type Payout,
  type RpcEndpoint,
  type SignedAttempt,
  type Signer,
} from '@causeway/core/chain'
import { evmAddressOfKey } from '@causeway/core/chain-kit'
import type { proto } from '@hiero-ledger/proto'
import { pino } from 'pino'
import { type HederaAdapter, hederaAdapter } from './adapter.js'
import { NATIVE } from './address/addresses.js'
import { loadSdk } from './lane/sdk.js'
import type { HederaOptions } from './options.js'
import { accountIdOf, int64, tokenIdOf } from './testing/engine/values.js'
import { HederaReader } from './testing/hederaReader.js'
import { type LocalHedera, startLocalHedera } from './testing/node/localHedera.js'

export const CHAIN_ID = 71_020
export const HBAR = 100_000_000n
export const WINDOW_SECONDS = 60
const FUNDS = 10_000n * HBAR

export interface TestAccountKey {
  readonly secret: string
  readonly signer: Signer
  /** EVM address, the alias of the account. */
  readonly address: string
}

export const newKey = (): TestAccountKey => {
  const secret = bytesToHex(randomBytes(32))
  const signer = createSecp256k1Signer(secret)
  return { secret, signer, address: evmAddressOfKey(signer.publicKey) }
}

export const protoKey = ({ signer }: TestAccountKey): proto.IKey => ({
  ECDSASecp256k1: compressPublicKey(signer.publicKey),
})

export const only = <T>(items: readonly T[]): T => {
  const [item] = items
  if (item === undefined || items.length !== 1) throw new Error(`There are ${items.length} items, not one.`)
  return item
}

/** A local network whose blocks come on demand, with a token, and the accounts of a solver and a depository that hold it. */
export const openHederaWorld = async () => {
  // Tests do not wait for the SDK within their time limit.
  await loadSdk()
  const chain = await startLocalHedera({ chainId: CHAIN_ID, blockMs: 0 })
  const reader = new HederaReader(chain)
  const genesisHash = `0x${await chain.genesisHash()}`
  const [solver, vault, issuer] = [newKey(), newKey(), newKey()]
  const made = async (...bodies: readonly proto.ITransactionBody[]): Promise<readonly string[]> =>
    (await chain.apply(...bodies)).map(({ account, token }) => account ?? token ?? '')
  /** Opens an account with a key and its alias. */
  const open = async (key: TestAccountKey, more: object = {}): Promise<string> => {
    const alias = Buffer.from(key.address.slice(2), 'hex')
    return only(await made({ cryptoCreateAccount: { key: protoKey(key), alias, ...more } }))
  }
  const [solverId, depositoryId, treasury] = [await open(solver), await open(vault), await open(issuer)]
  const newToken = async (more: object = {}): Promise<string> => {
    const common = { name: 'Token', symbol: 'TOK', decimals: 6, treasury: accountIdOf(treasury) }
    return only(await made({ tokenCreation: { ...common, initialSupply: int64(FUNDS), ...more } }))
  }
  const associate = (account: string, ...tokens: readonly string[]) =>
    made({ tokenAssociate: { account: accountIdOf(account), tokens: tokens.map(tokenIdOf) } })
  const token = await newToken({ freezeKey: protoKey(issuer), kycKey: null })
  await associate(solverId, token)
  await associate(depositoryId, token)
  await chain.fund(solver.address, FUNDS)
  await chain.fund(solver.address, FUNDS, token)
  const configOf = (rpc: readonly RpcEndpoint[]): ChainConfig => ({
    ...{ id: CHAIN_ID, slug: 'local-hedera', name: 'Local', package: '@causeway/chain-hederavm', rpc },
    currencies: [
      { address: NATIVE, symbol: 'HBAR', name: 'HBAR', decimals: 8, groupId: 'hbar' },
      { address: token, symbol: 'TOK', name: 'Token', decimals: 6, groupId: 'token' },
    ],
    confirmations: { fill: 1, success: 1, settle: 0, settleSeconds: 0 },
    ...{ solver: solver.address, enabled: true, options: {} },
  })
  const endpoint: RpcEndpoint = { ...chain.endpoint, provider: 'local' }
  const adapterOver = (options: Partial<HederaOptions> = {}, rpc: readonly RpcEndpoint[] = [endpoint]): HederaAdapter =>
    hederaAdapter(
      {
        ...{ depository: vault.address, genesisHash, windowSeconds: WINDOW_SECONDS, mirrorLagBlocks: 0 },
        ...{ pollIntervalMs: 50, rpcTimeoutMs: 1500, endpointCheckMs: 200, ...options },
      },
      { config: configOf(rpc), clock: systemClock, logger: pino({ level: 'silent' }), environment: environmentOf({}) },
    )
  return {
    ...{ chain, reader, endpoint, genesisHash, solver, vault, issuer, solverId, depositoryId, treasury, token },
    ...{ made, open, newToken, associate, adapterOver },
    /** A transfer without keys and fees. Returns its id. */
    transfer: async (from: string, to: string, amount: bigint, more: proto.ITransactionBody = {}): Promise<string> => {
      const accountAmounts = [
        { accountID: accountIdOf(from), amount: int64(-amount) },
        { accountID: accountIdOf(to), amount: int64(amount) },
      ]
      return only(await chain.apply({ cryptoTransfer: { transfers: { accountAmounts } }, ...more })).id
    },
    freshAccount: async (more: object = {}): Promise<string> => open(newKey(), more),
    payout: (to: string, more: Partial<Payout> = {}): Payout => ({
      ...{
        purpose: 'fill',
        orderId: bytesToHex(randomBytes(32)),
        from: solver.address,
        to: { address: to },
        calls: [],
      },
      money: { currency: NATIVE, amount: HBAR },
      ...more,
    }),
  }
}

export type HederaWorld = Awaited<ReturnType<typeof openHederaWorld>>
export type { LocalHedera }

/** Prepares and signs one payout at the beginning of the lane. */
export const signOne = async (
  { lane }: Pick<HederaAdapter, 'lane'>,
  { solver, vault }: Pick<HederaWorld, 'solver' | 'vault'>,
  payout: Payout,
): Promise<SignedAttempt> => {
  const { position } = await lane.read(payout.from, null)
  const { prepared } = await lane.prepare([{ payout, gas: null }], position)
  const attempt = only(prepared)
  if (attempt === null) throw new Error('Nothing was prepared.')
  return lane.sign(attempt, solver.signer, vault.signer)
}
