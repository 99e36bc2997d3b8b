import { randomBytes } from 'node:crypto'
import { eventTopics, fickleTokenAbi, testTokenAbi } from '@causeway/contracts-abi'
import type { Hex, Json } from '@causeway/core'
import type { RpcEndpoint } from '@causeway/core/chain'
import type {
  Alteration,
  ConformanceHarness,
  HarnessPermits,
  HarnessWallets,
  HostileEndpoint,
  HostileKind,
  LookAlike,
  RuleId,
} from '@causeway/core/testing'
import { concatHex, encodeFunctionData, getAddress, numberToHex, pad, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, vi } from 'vitest'
import type { EvmAdapter } from './adapter.js'
import { ZERO_ADDRESS } from './address/addresses.js'
import { signForm } from './permit/permitWorld.test.support.js'
import { privateKeySigner } from './testing/localSigner.js'
import { startFaultProxy } from './testing/node/faultProxy.js'
import { freezeNode } from './testing/node/frozenNode.js'
import { type LocalAccount, type LocalEvmChain, startLocalChain } from './testing/node/localChain.js'
import { pruneNode } from './testing/node/prunedNode.js'
import { NATIVE } from './testing/sandboxChain.js'
import { deployScriptedWallets, type WalletMood } from './testing/scriptedWallets.js'
import { startTestDeployment, type TestDeployment } from './testing/testDeployment.js'

const AMOUNT = 1_000_000n
const FINAL_DEPTH = 3

/** A real adapter with one thing wrong, the rule that notices it, and part of what that says. */
export interface BrokenAdapter {
  readonly wrong: string
  readonly rule: RuleId
  readonly says: string
  /** Nothing that comes tells of it: the kit must lose its patience. */
  readonly silent?: true
  readonly wrap: Alteration
}

/** Seconds for what a slow machine brings late; few where what is waited for never comes. */
export const patienceWith = ({ silent }: Pick<BrokenAdapter, 'silent'>): number => (silent ? 6 : 60)

/** A local EVM chain with our contracts, and what the conformance kit needs of it. */
export interface ConformanceWorld {
  readonly deployment: TestDeployment
  readonly harness: ConformanceHarness
  /** One more adapter of the chain over these endpoints, not started. */
  adapterOver(rpc: readonly RpcEndpoint[]): EvmAdapter
  /** Endpoints that one of these adapters was made over. */
  endpointsOf(adapter: EvmAdapter): readonly RpcEndpoint[]
  close(): Promise<void>
}
interface State {
  readonly deployment: TestDeployment
  readonly adapter: EvmAdapter
  /** A token that refuses to pay `blocked`, and one that is not listed. */
  readonly blocking: string
  readonly blocked: string
  readonly strange: string
  adapterOver(rpc: readonly RpcEndpoint[], maxLogRange?: number): EvmAdapter
}

/** Starts a chain with the contracts, tokens and accounts that every rule needs; ports and chain id are free ones. */
export const startConformanceWorld = async (chainId: number): Promise<ConformanceWorld> => {
  const deployment = await startTestDeployment(chainId)
  const { chain } = deployment
  const [user, solver] = chain.accounts as readonly [LocalAccount, LocalAccount]
  const blocking = await chain.deployToken({ name: 'Blocking', symbol: 'BLK', decimals: 6, kind: 'blocking' })
  const strange = await chain.deployToken({ name: 'Strange', symbol: 'STR', decimals: 6 })
  const blocked = `0x${randomBytes(20).toString('hex')}`
  await chain.fund(solver.address, 10n ** 12n, blocking)
  await chain.fund(user.address, 10n ** 12n, strange)
  const args = [getAddress(blocked)] as const
  const data = encodeFunctionData({ abi: parseAbi(['function block(address)']), functionName: 'block', args })
  await sendMined(chain, user, { to: blocking, data })
  const currencies = [
    NATIVE,
    { ...NATIVE, address: deployment.token, symbol: 'TUSD', name: 'Test Dollar', decimals: 6 },
  ]
  const made = new WeakMap<EvmAdapter, readonly RpcEndpoint[]>()
  const adapterOver = (rpc: readonly RpcEndpoint[], maxLogRange = 2_000): EvmAdapter => {
    const options = { rpcTimeoutMs: 2_500, endpointCheckMs: 200, maxLogRange }
    const next = deployment.adapter({ rpc, currencies, options })
    made.set(next, rpc)
    return next
  }
  const adapter = adapterOver([{ http: chain.rpcUrl, ws: chain.wsUrl }])
  await adapter.start(new AbortController().signal)
  const state = { deployment, adapter, blocking, blocked, strange, adapterOver }
  return {
    deployment,
    adapterOver,
    endpointsOf: (subject) => made.get(subject) ?? [],
    harness: harnessOf(state),
    close: async () => {
      await adapter.stop()
      await deployment.chain.close()
    },
  }
}

/** Sends with a plain wallet library and waits for the block. */
export const sendMined = async (
  chain: LocalEvmChain,
  account: LocalAccount,
  transaction: Parameters<LocalEvmChain['send']>[1],
): Promise<Hex> => {
  const hash = await chain.send(account, transaction)
  await vi.waitFor(async () => expect(await chain.rpc('eth_getTransactionReceipt', [hash])).not.toBeNull(), 60_000)
  return hash
}

/** A token that says true in blocks and moves nothing. */
const hollowToken = async ({
  chain,
}: TestDeployment): Promise<{ readonly currency: string; empty(): Promise<void> }> => {
  const [user, solver] = chain.accounts as readonly [LocalAccount, LocalAccount]
  const currency = await chain.deployToken({ name: 'Hollow', symbol: 'HLW', decimals: 6, kind: 'fickle' })
  await chain.fund(solver.address, 10n ** 12n, currency)
  const data = encodeFunctionData({ abi: fickleTokenAbi, functionName: 'setMood', args: [2, ZERO_ADDRESS] })
  const empty = async () => {
    await sendMined(chain, user, { to: currency, data })
  }
  return { currency, empty }
}

/** Address-shaped values as the code of a contract pushes them. */
const push = (value: Hex): Hex => concatHex(['0x7f', pad(value, { size: 32 })])

/** Creation code that logs the depository's event of a native deposit, from an address that is not the depository. */
const forgedEvent = (from: Hex, orderId: Hex): Hex => {
  const words = [from, numberToHex(AMOUNT), orderId].map(
    (word, at): Hex => concatHex([push(word), '0x60', numberToHex(at * 32, { size: 1 }), '0x52']),
  )
  return concatHex([...words, push(eventTopics.relayNativeDeposit), '0x60606000a1', '0x00'])
}

const lookAlikes = ({ deployment, blocked }: State): readonly LookAlike[] => {
  const { chain, token, depository } = deployment
  const [user] = chain.accounts as readonly [LocalAccount]
  const transfer = (to: string, amount: bigint, orderId: Hex): Hex =>
    concatHex([
      encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args: [getAddress(to), amount] }),
      orderId,
    ])
  return [
    {
      what: "the depository's event from another contract",
      make: (orderId) => sendMined(chain, user, { data: forgedEvent(user.address, orderId) }),
      arrived: null,
    },
    {
      what: 'a token transfer to somebody else that carries an order id',
      make: (orderId) => sendMined(chain, user, { to: token, data: transfer(blocked, AMOUNT, orderId) }),
      arrived: null,
    },
    {
      what: 'a token transfer of nothing',
      make: (orderId) => sendMined(chain, user, { to: token, data: transfer(depository, 0n, orderId) }),
      arrived: null,
    },
    {
      what: 'a smaller transfer with an order id behind it',
      make: (orderId) => sendMined(chain, user, { to: token, data: transfer(depository, 7n, orderId) }),
      arrived: { currency: token, amount: 7n },
    },
  ]
}

const hostile = async ({ deployment }: State, kind: HostileKind): Promise<HostileEndpoint> => {
  if (kind === 'wrong-chain') {
    const other = await startLocalChain({ chainId: 31_191 })
    return { endpoint: { http: other.rpcUrl }, close: () => other.close() }
  }
  const { chain } = deployment
  const proxy = await startFaultProxy(chain.rpcUrl)
  const endpoint = { endpoint: { http: proxy.url }, close: () => proxy.close() }
  if (kind === 'stale-head') await freezeNode(proxy, chain)
  else proxy.add('eth_getBlockByNumber', { rewrite: onBranch })
  return endpoint
}

/** The same block with another hash. */
const onBranch = (block: unknown): unknown => {
  const hash: unknown = Reflect.get(Object(block), 'hash')
  return typeof hash === 'string'
    ? { ...Object(block), hash: hash.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')) }
    : block
}

const forget = async ({ deployment: { chain } }: State): Promise<HostileEndpoint> => {
  const proxy = await startFaultProxy(chain.rpcUrl)
  await pruneNode(proxy, chain, FINAL_DEPTH + 1)
  return { endpoint: { http: proxy.url }, close: () => proxy.close() }
}

const HOSTILE_MOODS: readonly WalletMood[] = ['burns-gas', 'reverts-long', 'answers-long', 'pads-left', 'yes-to-nobody']

const contractWallets = async ({ chain }: TestDeployment): Promise<HarnessWallets> => {
  const [owner, stranger] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())]
  const scripted = await deployScriptedWallets(chain)
  const sign = (hash: Hex, by: 'owner' | 'stranger') => (by === 'owner' ? owner : stranger).sign({ hash })
  const coming = scripted.foresee(owner.address)
  const hostile: { readonly what: string; readonly wallet: string }[] = []
  for (const mood of HOSTILE_MOODS) hostile.push({ what: mood, wallet: await scripted.make(owner.address, mood) })
  return {
    there: { wallet: await scripted.make(owner.address), sign },
    coming: { wallet: coming.address, sign: async (hash, by) => coming.wrap(await sign(hash, by)) },
    hostile,
  }
}

/** An account without gas that holds a dollar with EIP-3009. */
const permits = async ({ chain }: TestDeployment): Promise<HarnessPermits> => {
  const [owner, stranger] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())]
  const token = { name: 'Signed Dollar', symbol: 'SUSD', decimals: 6, kind: 'authorization' } as const
  const currency = await chain.deployToken(token)
  await chain.fund(owner.address, 1_000n * AMOUNT, currency)
  return {
    owner: owner.address.toLowerCase(),
    currency,
    sign: (form, by) => signForm(form, by === 'owner' ? owner : stranger),
  }
}

const harnessOf = (state: State): ConformanceHarness => {
  const { deployment, adapter, blocking, blocked, strange, adapterOver } = state
  const { chain, token, depository } = deployment
  const [user, solver, allocator] = chain.accounts as readonly [LocalAccount, LocalAccount, LocalAccount]
  const transactionOf = (data: Json) => {
    // CAST: the shape of an EVM step item, wire.md A.5.
    const item = data as { readonly to: string; readonly data: Hex; readonly value: string }
    return { to: item.to, data: item.data, value: BigInt(item.value) }
  }
  const checksummed = getAddress(user.address)
  const flipped = checksummed.replace(/[a-fA-F]/, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
  return {
    versions: { adapter: '@causeway/chain-evm 1.0.0', localChain: 'anvil 1.7.1' },
    adapter,
    rpc: [{ http: chain.rpcUrl, ws: chain.wsUrl, provider: 'local' }],
    createAdapter: (over) => adapterOver(over),
    smallPages: (over) => adapterOver(over, 1),
    signer: privateKeySigner(solver.privateKey),
    allocator: privateKeySigner(allocator.privateKey),
    user: {
      address: user.address,
      send: (data) => sendMined(chain, user, transactionOf(data)),
      sendFailing: (data) => sendMined(chain, user, { ...transactionOf(data), gas: 23_300n }),
    },
    currencies: [ZERO_ADDRESS, token],
    nativeDecimals: 18,
    amount: AMOUNT,
    freshAddress: () => `0x${randomBytes(20).toString('hex')}`,
    addresses: {
      valid: [
        { text: checksummed, canonical: user.address },
        { text: user.address, canonical: user.address },
        { text: `0x${user.address.slice(2).toUpperCase()}`, canonical: user.address },
        { text: depository, canonical: depository },
      ],
      invalid: [
        { text: 'So11111111111111111111111111111111111111112', problem: 'foreign-network' },
        { text: 'bc1qzmtn0q92ayejt2hpffvlktcpmyy7vvsd06sefu', problem: 'foreign-network' },
        { text: flipped, problem: 'bad-checksum' },
        { text: user.address.slice(2), problem: 'malformed' },
        { text: user.address.slice(0, -1), problem: 'malformed' },
        { text: `${user.address}0`, problem: 'malformed' },
      ],
    },
    feeErrorPercent: { deposit: 200, payout: 100 },
    finalDepth: FINAL_DEPTH,
    height: async () => Number(await chain.rpc<Hex>('eth_blockNumber')),
    patienceSeconds: 60,
    advance: (blocks) => chain.mine(blocks),
    reorg: (depth) => chain.reorg(depth),
    strangeToken: async () => strange,
    hollowToken: () => hollowToken(deployment),
    lookAlikes: lookAlikes(state),
    impossibleRecipients: async () => [
      { what: 'the zero address', address: ZERO_ADDRESS, currency: ZERO_ADDRESS },
      { what: 'a contract that takes no native currency', address: token, currency: ZERO_ADDRESS },
      { what: 'an account that the token blocks', address: blocked, currency: blocking },
    ],
    contractWallets: () => contractWallets(deployment),
    permits: () => permits(deployment),
    hostile: (kind) => hostile(state, kind),
    forget: () => forget(state),
  }
}
