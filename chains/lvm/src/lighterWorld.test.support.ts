import { randomBytes } from 'node:crypto'
import { bytesToHex, environmentOf, type Json, systemClock } from '@causeway/core'
import {
  type AccessTokens,
  createSecp256k1Signer,
  type Payout,
  type RpcEndpoint,
  type SignedAttempt,
  type StepItemDraft,
} from '@causeway/core/chain'
import { evmAddressOfKey } from '@causeway/core/chain-kit'
import { pino } from 'pino'
import { type LighterAdapter, lighterAdapter } from './adapter.js'
import { NATIVE } from './address/addresses.js'
import type { LighterOptions } from './options.js'
import { indexOfOwner } from './testing/engine/owner.js'
import { type LighterStep, LighterWallet } from './testing/lighterWallet.js'
import { type LocalLighter, startLocalLighter } from './testing/node/localLighter.js'

export const CHAIN_ID = 9_000_011
export const ETH = '1'
export const PLENTY = 1_000_000_000_000n
export const LIFETIME_SECONDS = 60
/** Until a payment that was signed now can surely no longer be executed. */
export const OVER_MS = (LIFETIME_SECONDS + 130) * 1000
const SLOT = 2

export const newKey = () => {
  const secret = bytesToHex(randomBytes(32))
  const signer = createSecp256k1Signer(secret)
  const owner = evmAddressOfKey(signer.publicKey)
  return { secret, signer, owner, account: indexOfOwner(owner) }
}

export type TestKey = ReturnType<typeof newKey>

/** How an adapter of the world differs from its usual one. */
export interface AdapterChanges {
  /** Without API keys, as in the role watcher. */
  readonly isKeyless?: boolean
  readonly accessTokens?: AccessTokens
  /** Other fields of the solver's entry in `accounts`. */
  readonly solverEntry?: Partial<LighterOptions['accounts'][number]>
}

/** The contract that an exchange shows. */
export const contractOf = async ({ endpoint }: Pick<LocalLighter, 'endpoint'>): Promise<string> => {
  const answer = await fetch(`${endpoint.http}/info`)
  // CAST: the form of this answer.
  return ((await answer.json()) as { readonly contract_address: string }).contract_address
}

/** The local exchange checks signatures of API keys by their form, and the signer takes any 40 bytes. */
const anyApiKey = () => ({ privateKey: bytesToHex(randomBytes(40)), publicKey: bytesToHex(randomBytes(40)) })

/** A local exchange whose blocks come on demand, with a spot asset, and accounts of a solver, a depository and a user. */
export const openLighterWorld = async () => {
  const chain = await startLocalLighter({ chainId: CHAIN_ID, blockMs: 0 })
  const contractAddress = await contractOf(chain)
  const [solver, vault, user] = [newKey(), newKey(), newKey()]
  const [solverKey, vaultKey] = [anyApiKey(), anyApiKey()]
  for (const { owner } of [solver, vault, user])
    for (const currency of [NATIVE, ETH]) await chain.fund(owner, PLENTY, currency)
  await chain.openAccount(solver.owner, { [SLOT]: solverKey.publicKey })
  await chain.openAccount(vault.owner, { [SLOT]: vaultKey.publicKey })
  const wallet = new LighterWallet({ chainId: CHAIN_ID, endpoint: chain.endpoint }, user.secret)
  const endpoints = (): RpcEndpoint[] => [{ ...chain.endpoint, provider: 'local' }]
  const adapterOver = (rpc: readonly RpcEndpoint[], changes: AdapterChanges = {}): LighterAdapter => {
    const { isKeyless = false, accessTokens, solverEntry } = changes
    const variables = isKeyless ? {} : { SOLVER_KEY: solverKey.privateKey, DEPOSITORY_KEY: vaultKey.privateKey }
    const options = {
      depository: vault.account,
      accounts: [
        { account: vault.account, owner: vault.owner, apiKeyVariable: 'DEPOSITORY_KEY' },
        { account: solver.account, owner: solver.owner, apiKeyVariable: 'SOLVER_KEY', ...solverEntry },
      ],
      ...{ contractAddress, lifetimeSeconds: LIFETIME_SECONDS },
      ...{ pollIntervalMs: 50, rpcTimeoutMs: 2500, endpointCheckMs: 200 },
    }
    return lighterAdapter(options, {
      ...{ config: configOf(rpc, solver.account), clock: systemClock, logger: pino({ level: 'silent' }) },
      environment: environmentOf(variables),
      ...(accessTokens && { accessTokens }),
    })
  }
  const send = async (data: Json): Promise<string> => {
    // CAST: a step item of a quote, of which the wallet reads the data.
    const items = [{ stepId: 'deposit', kind: 'transaction', data } as unknown as StepItemDraft]
    const id = await (await wallet.prepare([{ items }])).send()
    await chain.advance()
    return id
  }
  return { chain, solver, vault, user, wallet, endpoints, adapterOver, send }
}

export type LighterWorld = Awaited<ReturnType<typeof openLighterWorld>>

const configOf = (rpc: readonly RpcEndpoint[], solver: string) => ({
  id: CHAIN_ID,
  slug: 'local-lighter',
  name: 'Local',
  package: '@causeway/chain-lvm',
  rpc,
  currencies: [
    { address: NATIVE, symbol: 'USDC', name: 'USDC', decimals: 6, groupId: 'usdc' },
    { address: ETH, symbol: 'ETH', name: 'Ether', decimals: 8, groupId: 'eth' },
  ],
  confirmations: { fill: 1, success: 1, settle: 0, settleSeconds: 0 },
  solver,
  enabled: true,
  options: {},
})

/** A step of a transfer of perps USDC to an account, with the fee of the local exchange. */
export const transferStep = (to: string, changes: Partial<LighterStep['action']['parameters']> = {}): Json => {
  const parameters = {
    ...{ toAccountIndex: Number(to), assetIndex: 3, fromRouteType: 0, toRouteType: 0 },
    ...{ amount: 20_000_000, usdcFee: 3_000_000, memo: '', ...changes },
  }
  // CAST: plain data, all of it JSON.
  return { action: { type: 'transfer', parameters } } as unknown as Json
}

/** A fill of the solver. */
export const fillOf = (world: LighterWorld, to: string, changes: Partial<Payout> = {}): Payout => ({
  ...{ purpose: 'fill', orderId: bytesToHex(randomBytes(32)), from: world.solver.account, to: { address: to } },
  ...{ money: { currency: NATIVE, amount: 5_000_000n }, calls: [] },
  ...changes,
})

/** Prepares and signs one payment after a stored position. */
export const signPayout = async (
  { solver, vault }: LighterWorld,
  { lane }: LighterAdapter,
  payout: Payout,
  position?: Json,
): Promise<{ readonly attempt: SignedAttempt; readonly position: Json }> => {
  const from = position ?? (await lane.read(solver.account, null)).position
  const { prepared, position: after } = await lane.prepare([{ payout, gas: null }], from)
  const [first] = prepared
  if (first === null || first === undefined) throw new Error('The payment was not prepared.')
  return { attempt: await lane.sign(first, solver.signer, vault.signer), position: after }
}
