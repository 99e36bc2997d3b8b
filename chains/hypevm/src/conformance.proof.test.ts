import { randomBytes } from 'node:crypto'
import { bytesToHex, environmentOf, type Json, systemClock } from '@causeway/core'
import { createSecp256k1Signer, type RpcEndpoint, type StepItemDraft } from '@causeway/core/chain'
import { evmAddressOfKey } from '@causeway/core/chain-kit'
import {
  type ConformanceHarness,
  hostileNodes,
  type LookAlike,
  RULE_IDS,
  runConformance,
  until,
} from '@causeway/core/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HypeAdapter, hypeAdapter } from './adapter.js'
import { NATIVE, USDC } from './address/addresses.js'
import { depositKeyOf } from './depositAddress/depositAddresses.js'
import { memoryMappings } from './memoryMappings.test.support.js'
import { SPOT_USDC } from './options.js'
import { type DepositStep, HyperliquidWallet } from './testing/hyperliquidWallet.js'
import { type LocalHyperliquid, startLocalHyperliquid } from './testing/node/localHyperliquid.js'

const CHAIN_ID = 9_000_010
const SPOT = SPOT_USDC.testnet
const AMOUNT = 20n * USDC
const PLENTY = 1_000_000n * USDC
/** The exchange takes nonces until two minutes before the documented end. */
const WINDOW_SECONDS = 150
/** How far the clock is wound between two readings of the head: as far as the pace of heads explains. */
const WIND_MS = 8000

const newKey = () => {
  const secret = bytesToHex(randomBytes(32))
  const signer = createSecp256k1Signer(secret)
  return { secret, signer, address: evmAddressOfKey(signer.publicKey) }
}

const seed = Buffer.alloc(32, 0x5e)
const [solver, vault, owner] = [newKey(), newKey(), newKey()]
const mappings = memoryMappings()
let chain: LocalHyperliquid
let wallet: HyperliquidWallet
let strange: string
let adapter: HypeAdapter

beforeAll(async () => {
  chain = await startLocalHyperliquid({ chainId: CHAIN_ID, blockMs: 0 })
  strange = await chain.createToken({ name: 'STR', szDecimals: 8, weiDecimals: 8 })
  await chain.open(vault.address)
  for (const { address } of [solver, owner]) for (const held of [NATIVE, SPOT]) await chain.fund(address, PLENTY, held)
  await chain.fund(owner.address, PLENTY, strange)
  wallet = new HyperliquidWallet(chain, owner.secret)
  adapter = adapterOver(endpoints())
  await adapter.start(new AbortController().signal)
}, 120_000)

afterAll(async () => {
  await adapter?.stop()
  await chain?.close()
})

const endpoints = (): RpcEndpoint[] => [{ ...chain.endpoint, provider: 'local' }]

const adapterOver = (rpc: readonly RpcEndpoint[]): HypeAdapter => {
  const config = {
    ...{ id: CHAIN_ID, slug: 'local-hyperliquid', name: 'Local', package: '@causeway/chain-hypevm', rpc },
    currencies: [
      { address: NATIVE, symbol: 'USDC', name: 'USDC', decimals: 8, groupId: 'usdc' },
      { address: SPOT, symbol: 'USDC', name: 'USDC (spot)', decimals: 8, groupId: 'usdc' },
    ],
    confirmations: { fill: 1, success: 1, settle: 0, settleSeconds: 0 },
    ...{ solver: solver.address, enabled: true, options: {} },
  }
  const options = {
    ...{ depository: vault.address, depositKey: depositKeyOf(seed), windowSeconds: WINDOW_SECONDS },
    // Rules wait for deposits without an order.
    ...{ lagMs: 0, mappingWaitSeconds: 0, pollIntervalMs: 50, rpcTimeoutMs: 2500, endpointCheckMs: 200 },
  }
  const logger = pino({ level: 'silent' })
  const deps = { config, clock: systemClock, logger, environment: environmentOf({}), nonceMappings: mappings }
  return hypeAdapter(options, deps)
}

/** Signs and sends a step, and ends the block: a mapping goes to the service, a transfer to the exchange. */
const send = async (data: Json, { kind, stepId }: Pick<StepItemDraft, 'kind' | 'stepId'>): Promise<string> => {
  if (stepId === 'authorize' && kind === 'signature') {
    const { body } = Object(Object(data).post)
    await mappings.register({ ...body, chainId: body.walletChainId }, { holder: null })
    return ''
  }
  return sendStep(data)
}

const sendStep = async (data: Json): Promise<string> => {
  // CAST: a step item of a quote, of which the wallet reads the data.
  const hash = await wallet.send(await wallet.sign(data as unknown as DepositStep))
  await chain.advance(1)
  return hash
}

const map = (orderId: string, nonce: number, address: string = owner.address) =>
  mappings.register(
    // CAST: an order id of the kit.
    { chainId: CHAIN_ID, wallet: address, depositor: address, nonce, id: orderId as `0x${string}` },
    { holder: null },
  )

const sent = async (hash: Promise<string>): Promise<string> => {
  const found = await hash
  await chain.advance(1)
  return found
}

const lookAlikes = (): readonly LookAlike[] => [
  {
    what: 'a transfer to another account with a mapping',
    make: async (orderId) => {
      const nonce = await wallet.nextNonce()
      await map(orderId, nonce)
      return sent(wallet.sendAsset({ destination: solver.address, amount: AMOUNT, nonce }))
    },
    arrived: null,
  },
  {
    what: 'a transfer whose nonce another wallet mapped',
    make: async (orderId) => {
      const nonce = await wallet.nextNonce()
      await map(orderId, nonce, newKey().address)
      return sent(wallet.sendAsset({ destination: vault.address, amount: AMOUNT, nonce }))
    },
    arrived: { currency: NATIVE, amount: AMOUNT },
  },
  {
    what: 'a transfer into the spot exchange',
    make: async (orderId) => {
      const nonce = await wallet.nextNonce()
      await map(orderId, nonce)
      return sent(wallet.sendAsset({ destination: vault.address, amount: AMOUNT, destinationDex: 'spot', nonce }))
    },
    arrived: { currency: SPOT, amount: AMOUNT },
  },
]

/** Accounts that the exchange or this adapter does not pay. */
const impossibleRecipients = async () => {
  const sanctioned = newKey().address
  await chain.sanction(sanctioned)
  return [{ what: 'an account that the exchange refuses', address: sanctioned, currency: NATIVE }]
}

const expire = async (): Promise<void> => {
  for (let left = (WINDOW_SECONDS + 10) * 1000; left > 0; left -= WIND_MS) {
    await chain.wind(WIND_MS)
    await chain.advance(1)
    await reached(await chain.headMs())
  }
}

/** Waits until the adapter knows a height. */
const reached = (height: number) =>
  until('the newest head', async () => ((await adapter.tip()).height >= BigInt(height) ? true : undefined))

const harness = (): ConformanceHarness => {
  const { hostile, smallPages } = hostileNodes(chain, {
    other: () => startLocalHyperliquid({ chainId: 1337, blockMs: 0 }),
    finalDepth: 0,
  })
  return {
    versions: { adapter: '@causeway/chain-hypevm 1.0.0', localChain: 'local Hyperliquid exchange 1.0.0' },
    adapter,
    rpc: endpoints(),
    createAdapter: async (rpc) => adapterOver(rpc),
    smallPages: async () => adapterOver([{ ...(await smallPages()).endpoint, provider: 'small pages' }]),
    ...{ signer: solver.signer, allocator: vault.signer, seed },
    user: { address: owner.address, send },
    currencies: [NATIVE, SPOT],
    nativeDecimals: 8,
    amount: AMOUNT,
    freshAddress: () => newKey().address,
    addresses: {
      valid: [
        { text: owner.address, canonical: owner.address },
        { text: owner.address.toUpperCase().replace('0X', '0x'), canonical: owner.address },
        { text: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', canonical: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045' },
        { text: NATIVE, canonical: NATIVE },
      ],
      invalid: [
        { text: 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', problem: 'foreign-network' },
        { text: 'bc1qzmtn0q92ayejt2hpffvlktcpmyy7vvsd06sefu', problem: 'foreign-network' },
        { text: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96046', problem: 'bad-checksum' },
        { text: '0xd8da', problem: 'malformed' },
        { text: `${owner.address} `, problem: 'malformed' },
      ],
    },
    feeErrorPercent: { deposit: 0, payout: 0 },
    finalDepth: 0,
    height: () => chain.headMs(),
    patienceSeconds: 30,
    advance: (blocks) => chain.advance(blocks),
    expire,
    strangeToken: async () => strange,
    lookAlikes: lookAlikes(),
    impossibleRecipients,
    hostile,
    deviations: DEVIATIONS,
  }
}

const NO_FEE = 'a transfer costs nothing'
const NO_UPDATE = 'an action that fails has no ledger update'
const NOTHING_FORGOTTEN = 'the exchange keeps all updates of an account'
const DEVIATIONS = {
  'deposit-failed': NO_UPDATE,
  'deposit-forgotten': NOTHING_FORGOTTEN,
  'deposit-fee': NO_FEE,
  'payout-fee': 'a transfer of a token costs no native currency; lane.chain.test.ts has that of native USDC',
  'payout-reverted': NO_UPDATE,
  'arrival-failed': NO_UPDATE,
  'sweep-fee': NO_FEE,
  'death-forgotten': NOTHING_FORGOTTEN,
}
/** No block ever leaves the exchange, payments are not replaced, and addresses derived. */
const EXEMPT = [
  ...['deposit-reorg', 'deposit-tagged', 'payout-tagged', 'payout-reorg', 'payout-shared', 'final-height'],
  ...['payout-replaced', 'payout-cancelled', 'address-genuine', 'arrival-reorg', 'sweep-replaced', 'sweep-reorg'],
  ...['wallet-signature', 'wallet-hostile', 'wallet-agreed'],
  ...['permit-bound', 'permit-paid', 'permit-once', 'permit-found'],
]

test('the Hyperliquid adapter keeps every rule of the kit', { timeout: 900_000 }, async () => {
  const lines: string[] = []
  const report = await runConformance(harness(), { print: (line) => lines.push(line) })
  expect(report.failed, lines.join('\n')).toEqual([])
  expect(report.exemptions.map(({ name }) => name)).toEqual(EXEMPT)
  const deviating = report.deviations.map(({ name }) => name)
  expect([...deviating].sort()).toEqual(Object.keys(DEVIATIONS).sort())
  expect(report.passed).toBe(RULE_IDS.length - EXEMPT.length - deviating.length)
})
