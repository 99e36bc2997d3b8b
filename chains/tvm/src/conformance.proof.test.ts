import { randomBytes } from 'node:crypto'
import { depositoryBytecode, multiDepositBytecode } from '@causeway/contracts-abi'
import { bytesToHex, environmentOf, type Json, systemClock } from '@causeway/core'
import { createSecp256k1Signer, type RpcEndpoint, type StepItemDraft } from '@causeway/core/chain'
import { type ConformanceHarness, hostileNodes, type LookAlike, RULE_IDS, runConformance } from '@causeway/core/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TronAdapter, tronAdapter } from './adapter.js'
import { selectorOf } from './address/abi.js'
import { hexOf, NATIVE, sunNumber } from './address/addresses.js'
import { addressOfKey } from './address/keyAddress.js'
import { depositKeyOf } from './depositAddress/depositAddresses.js'
import { type LocalTron, startLocalTron } from './testing/node/localTron.js'
import { type TronTokenKind, tokenPlan } from './testing/tokens/tokenPlans.js'
import { words } from './testing/tokens/words.js'
import { TronReader } from './testing/tronReader.js'
import { type TronStep, TronWallet } from './testing/tronWallet.js'

const CHAIN_ID = 728_126_428
const TRX = 1_000_000n
const AMOUNT = 200n * TRX
const PLENTY = 10_000_000n * TRX
const LAG = 4
const WINDOW_SECONDS = 120

const newKey = () => {
  const secret = bytesToHex(randomBytes(32))
  const signer = createSecp256k1Signer(secret)
  return { secret, signer, address: addressOfKey(signer.publicKey) }
}

const seed = Buffer.alloc(32, 0x5e)
const [solver, allocator, user] = [newKey(), newKey(), newKey()]
let chain: LocalTron
let genesisHash: string
let wallet: TronWallet
let depository: string
let [token, strange, charging, blocking, blocked, middleman] = ['', '', '', '', '', '']
let adapter: TronAdapter

beforeAll(async () => {
  chain = await startLocalTron({ chainId: CHAIN_ID, blockMs: 0 })
  genesisHash = (await chain.genesisHash()).replace(/^0x/, '')
  await chain.setSolidityLag(LAG)
  depository = await chain.deploy({
    bytecode: depositoryBytecode + words(allocator.address, allocator.address),
    name: 'Depository',
  })
  const deploy = (symbol: string, kind: TronTokenKind) =>
    chain.deploy(tokenPlan({ name: symbol, symbol, decimals: 6, kind }))
  token = await deploy('USDT', 'tether')
  strange = await deploy('STR', 'standard')
  charging = await deploy('FEE', 'fee')
  blocking = await deploy('BLK', 'blocking')
  blocked = newKey().address
  await chain.call({ to: blocking, data: `${selectorOf('block(address)')}${words(blocked)}` })
  await chain.fund(solver.address, PLENTY, blocking)
  middleman = await chain.deploy({ bytecode: multiDepositBytecode, name: 'MultiDeposit' })
  for (const { address } of [solver, user]) {
    await chain.fund(address, PLENTY)
    await chain.fund(address, PLENTY, token)
  }
  for (const held of [strange, charging]) await chain.fund(user.address, PLENTY, held)
  await chain.advance(LAG + 1)
  wallet = new TronWallet(new TronReader({ chainId: CHAIN_ID, endpoint: chain.endpoint }), user.secret)
  adapter = adapterOver(endpoints())
  await adapter.start(new AbortController().signal)
}, 120_000)

afterAll(async () => {
  await adapter?.stop()
  await chain?.close()
})

const endpoints = (): RpcEndpoint[] => [{ ...chain.endpoint, provider: 'local' }]

const adapterOver = (rpc: readonly RpcEndpoint[]): TronAdapter => {
  const config = {
    id: CHAIN_ID,
    slug: 'local-tron',
    name: 'Local',
    package: '@causeway/chain-tvm',
    rpc,
    currencies: [
      { address: NATIVE, symbol: 'TRX', name: 'TRON', decimals: 6, groupId: 'trx' },
      { address: token, symbol: 'USDT', name: 'Tether USD', decimals: 6, groupId: 'usdt' },
    ],
    confirmations: { fill: 1, success: 1, settle: LAG, settleSeconds: 0 },
    solver: solver.address,
    enabled: true,
    options: {},
  }
  const options = {
    ...{ depository, genesisHash, depositKey: depositKeyOf(seed), windowSeconds: WINDOW_SECONDS },
    ...{ pollIntervalMs: 50, rpcTimeoutMs: 2500, endpointCheckMs: 200 },
  }
  const logger = pino({ level: 'silent' })
  return tronAdapter(options, { config, clock: systemClock, logger, environment: environmentOf({}) })
}

/** Signs a step, sends it and ends the block. */
const send = async (data: Json): Promise<string> => {
  // CAST: a step item of a quote, of which the wallet reads the data.
  const items = [{ stepId: 'deposit', kind: 'transaction', data } as unknown as StepItemDraft]
  const id = await (await wallet.prepare([{ items }])).send()
  await chain.advance()
  return id
}

// CAST: the shape of a step item of this chain.
const stepOf = (data: Json) => data as unknown as TronStep

/** A call of the user's. */
const call = (to: string, data: string, value = 0n): Json => ({
  type: 'TriggerSmartContract',
  parameter: {
    ...{ owner_address: hexOf(user.address), contract_address: hexOf(to), data },
    call_value: sunNumber(value),
  },
  chainId: CHAIN_ID,
})

/** The same call of a much larger amount: the second word of a transfer; a deposit of TRX gets an argument too few. */
const tooMuch = (data: Json): Json => {
  const { parameter } = stepOf(data)
  const calldata = parameter.data.replace(/^0x/, '')
  const isTransfer = calldata.startsWith('a9059cbb')
  const changed = isTransfer
    ? calldata.slice(0, 72) + (PLENTY * 5n).toString(16).padStart(64, '0') + calldata.slice(136)
    : calldata.slice(0, 72)
  return call(addressOfHex(parameter.contract_address), changed, BigInt(parameter.call_value ?? 0))
}

const addressOfHex = (hex: string): string => {
  const read = adapter.validateAddress(hex)
  if (!read.ok) throw new Error(read.why)
  return read.canonical
}

const transfer = (to: string, amount: bigint, orderId: string): string =>
  `a9059cbb${words(to, amount)}${orderId.slice(2)}`

const lookAlikes = (): readonly LookAlike[] => [
  {
    what: 'a payment to another account with the id of a deposit',
    make: (orderId) => send(call(token, transfer(solver.address, AMOUNT, orderId))),
    arrived: null,
  },
  {
    what: 'a token whose own fee reduces the amount',
    make: (orderId) => send(call(charging, transfer(depository, AMOUNT, orderId))),
    arrived: { currency: charging, amount: (AMOUNT * 99n) / 100n },
  },
  {
    what: 'a transfer of nothing with the id of a deposit',
    make: (orderId) => send(call(token, transfer(depository, 0n, orderId))),
    arrived: null,
  },
  {
    what: 'an approval with the id of a deposit behind it',
    make: (orderId) => send(call(strange, `095ea7b3${words(depository, AMOUNT)}${orderId.slice(2)}`)),
    arrived: null,
  },
  {
    what: 'a deposit through another contract',
    make: async (orderId) => {
      const head = words(depository, user.address, orderId, 128n, 1n)
      const data = `${selectorOf('depositMany(address,address,bytes32,(address,uint256)[])')}${head}${words(NATIVE, AMOUNT)}`
      return send(call(middleman, data, AMOUNT))
    },
    arrived: { currency: NATIVE, amount: AMOUNT },
  },
]

const createHarness = (): ConformanceHarness => {
  const { hostile, forget, smallPages } = hostileNodes(chain, {
    other: () => startLocalTron({ chainId: CHAIN_ID, blockMs: 0 }),
    finalDepth: LAG,
  })
  return {
    versions: { adapter: '@causeway/chain-tvm 1.0.0', localChain: 'local Tron network 1.0.0' },
    adapter,
    rpc: endpoints(),
    createAdapter: async (rpc) => adapterOver(rpc),
    smallPages: async () => adapterOver([{ ...(await smallPages()).endpoint, provider: 'small pages' }]),
    signer: solver.signer,
    allocator: allocator.signer,
    seed,
    user: { address: user.address, send, sendFailing: (data) => send(tooMuch(data)) },
    currencies: [NATIVE, token],
    nativeDecimals: 6,
    amount: AMOUNT,
    freshAddress: async () => newKey().address,
    addresses: {
      valid: [
        { text: user.address, canonical: user.address },
        { text: hexOf(user.address), canonical: user.address },
        { text: NATIVE, canonical: NATIVE },
      ],
      invalid: [
        { text: '0x1f9840a85d5af5bf1d1762f925bdaddc4201f984', problem: 'foreign-network' },
        { text: 'bc1qzmtn0q92ayejt2hpffvlktcpmyy7vvsd06sefu', problem: 'foreign-network' },
        { text: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T', problem: 'bad-checksum' },
        { text: user.address.toLowerCase(), problem: 'malformed' },
        { text: `${user.address} `, problem: 'malformed' },
      ],
    },
    feeErrorPercent: { deposit: 20, payout: 5 },
    finalDepth: LAG,
    height: () => chain.height(),
    patienceSeconds: 30,
    advance: (blocks) => chain.advance(blocks),
    reorg: async (depth) => chain.reorg?.(depth),
    expire: async () => {
      await chain.wind((WINDOW_SECONDS + 10) * 1000)
      await chain.advance(LAG + 2)
    },
    strangeToken: async () => strange,
    lookAlikes: lookAlikes(),
    impossibleRecipients: async () => [
      { what: 'a contract that takes no TRX', address: token, currency: NATIVE },
      { what: 'an account that the token blocks', address: blocked, currency: blocking },
    ],
    hostile,
    forget,
  }
}

/** There are no tags, no replacements and no contract wallets here, and addresses are derived. */
const EXEMPT = [
  ...['deposit-tagged', 'payout-tagged', 'payout-shared', 'payout-replaced', 'payout-cancelled'],
  ...['address-genuine', 'sweep-replaced', 'wallet-signature', 'wallet-hostile', 'wallet-agreed'],
  ...['permit-bound', 'permit-paid', 'permit-once', 'permit-found'],
]

test('the Tron adapter keeps every rule of the kit', { timeout: 900_000 }, async () => {
  const lines: string[] = []
  const report = await runConformance(createHarness(), {
    print: (line) => lines.push(line),
  })
  expect(report.failed, lines.join('\n')).toEqual([])
  expect(report.deviations.map(({ name }) => name)).toEqual([])
  expect(report.exemptions.map(({ name }) => name)).toEqual(EXEMPT)
  expect(report.passed).toBe(RULE_IDS.length - EXEMPT.length)
})
