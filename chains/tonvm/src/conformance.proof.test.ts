import { randomBytes } from 'node:crypto'
import { bytesToHex, environmentOf, type Json, systemClock } from '@causeway/core'
import { createEd25519Signer, type RpcEndpoint } from '@causeway/core/chain'
import {
  type ConformanceHarness,
  conformanceCases,
  hostileNodes,
  type LookAlike,
  RULE_IDS,
  runConformance,
} from '@causeway/core/testing'
import { Address, comment, internal, type MessageRelaxed } from '@ton/core'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TonAdapter, tonAdapter } from './adapter.js'
import { NATIVE } from './address/addresses.js'
import { addressOfKey } from './address/wallets.js'
import { readTransfer } from './deposit/jettonBodies.js'
import { depositAccountOf } from './depositAddress/commentAddresses.js'
import { poolKeyOf } from './depositAddress/depositAddresses.js'
import type { TonOptions } from './options.js'
import { internalMessage } from './testing/engine/internalMessage.js'
import { hostileJetton } from './testing/jetton/jettons.js'
import { CLOSED, walletWith } from './testing/jetton/variants.test.support.js'
import { payment, startTestedTon, type TestedTon, type TestedWallet, TON } from './testing/testedTon.test.support.js'
import { messagesOf, type TonStep, tonConnectRequest } from './testing/tonConnect.js'

const CHAIN_ID = 71_011
const NETWORK_ID = -239
const AMOUNT = 20n * TON
const PLENTY = 1_000_000n * TON
const LIFETIME_SECONDS = 120
/** Blocks in which a payment and all that it causes arrive. */
const ARRIVAL = 5

const newKey = () => {
  const signer = createEd25519Signer(bytesToHex(randomBytes(32)))
  return { signer, address: addressOfKey(signer.publicKey, NETWORK_ID) }
}

const seed = Buffer.alloc(32, 0x5e)
const [solver, vault] = [newKey(), newKey()]
/** Addresses with keys of their own, and comments of one account. */
const deposits = depositAccountOf(seed, { chainId: CHAIN_ID, networkId: NETWORK_ID })
const KEYS = { depositPoolKey: poolKeyOf(seed, NETWORK_ID) }
const COMMENTS = { depositAccount: deposits.address }
let network: TestedTon
let genesisHash: string
let user: TestedWallet
let [token, closed] = ['', '']
let adapter: TonAdapter

beforeAll(async () => {
  network = await startTestedTon()
  genesisHash = await network.chain.genesisHash()
  user = await network.wallet(PLENTY)
  const jettons = [await network.jetton(), await network.jetton(await walletWith(CLOSED))]
  ;[token = '', closed = ''] = jettons.map(({ address }) => address.toRawString())
  for (const address of [solver.address, vault.address, deposits.address]) await network.chain.fund(address, PLENTY)
  await network.chain.fund(user.address.toRawString(), PLENTY, token)
  for (const held of [token, closed]) await network.chain.fund(solver.address, PLENTY, held)
  await network.chain.advance(ARRIVAL)
  adapter = await startAdapter(KEYS)
}, 120_000)

afterAll(async () => {
  await adapter?.stop()
  await network?.close()
})

const endpoints = (): RpcEndpoint[] => [{ ...network.chain.endpoint, provider: 'local' }]

const startAdapter = async (addresses: Partial<TonOptions>): Promise<TonAdapter> => {
  const started = adapterOver(endpoints(), addresses)
  await started.start(new AbortController().signal)
  return started
}

const adapterOver = (rpc: readonly RpcEndpoint[], addresses: Partial<TonOptions>): TonAdapter => {
  const config = {
    id: CHAIN_ID,
    slug: 'local-ton',
    name: 'Local',
    package: '@causeway/chain-tonvm',
    rpc,
    currencies: [
      { address: NATIVE, symbol: 'TON', name: 'Toncoin', decimals: 9, groupId: 'ton' },
      { address: token, symbol: 'TOK', name: 'Token', decimals: 6, groupId: 'token' },
    ],
    confirmations: { fill: 1, success: 1, settle: 0, settleSeconds: 0 },
    solver: solver.address,
    enabled: true,
    options: {},
  }
  const options = {
    ...{ depository: vault.address, networkId: NETWORK_ID, genesisHash, lifetimeSeconds: LIFETIME_SECONDS },
    ...{ ...addresses, pollIntervalMs: 50, rpcTimeoutMs: 5000, endpointCheckMs: 200 },
  }
  const logger = pino({ level: 'silent' })
  return tonAdapter(options, { config, clock: systemClock, logger, environment: environmentOf({}) })
}

/** Newest transaction of the depository, or of a recipient where that is newer. */
const arrived = async (recipients: readonly Address[] = []): Promise<string> => {
  const found = await Promise.all(
    [Address.parseRaw(vault.address), ...recipients].map((address) =>
      network.client.getTransactions(address, { limit: 1 }),
    ),
  )
  const [newest] = found.flat().sort((left, right) => (left.lt < right.lt ? 1 : -1))
  return newest?.hash().toString('hex') ?? ''
}

/** The clock of the network, which the kit sets forward. */
const chainTime = async (): Promise<number> => {
  const { text } = await network.get('/block/latest')
  return Number(Object(JSON.parse(text)).now)
}

/** Signs messages, sends them and waits until everything arrived; returns the newest transaction of a recipient. */
const pay = async (messages: readonly MessageRelaxed[]): Promise<string> => {
  await user.submit([...messages], { timeout: (await chainTime()) + 300 })
  await network.chain.advance(ARRIVAL)
  return arrived(
    messages.flatMap(({ info, body }) => readTransfer(body)?.recipient ?? (info.type === 'internal' ? info.dest : [])),
  )
}

// CAST: the shape of a step item of this chain.
const stepOf = (data: Json) => data as unknown as TonStep

const send = async (data: Json): Promise<string> => pay(messagesOf(tonConnectRequest(stepOf(data), await chainTime())))

/** Sends the comment of a step with TON, so that its account, which has no code yet, returns it. */
const sendFailing = async (data: Json): Promise<string> => {
  const [message] = messagesOf(tonConnectRequest(stepOf(data), await chainTime()))
  if (message?.info.type !== 'internal') throw new Error('The step has no message')
  const { recipient, payload } = readTransfer(message.body) ?? {}
  const to = recipient ?? message.info.dest
  return pay([internal({ to, value: AMOUNT, bounce: true, body: payload?.asCell() ?? message.body })])
}

const lookAlikes = (): readonly LookAlike[] => [
  {
    what: 'a payment to another account with the comment of a deposit',
    make: (orderId) => pay([payment({ address: new Address(0, Buffer.alloc(32, 7)) }, AMOUNT, orderId)]),
    arrived: null,
  },
  {
    what: 'a message that would bounce (chains.md tonvm 3)',
    make: async (orderId) => {
      const to = Address.parseRaw(vault.address)
      await network.chain.apply(internalMessage(user.address, to, AMOUNT, { body: comment(orderId), bounce: true }))
      return arrived()
    },
    arrived: null,
  },
  {
    what: 'a payment above the balance, which the wallet takes and does not send (chains.md tonvm 10)',
    make: (orderId) => pay([payment({ address: Address.parseRaw(vault.address) }, PLENTY * 2n, orderId)]),
    arrived: null,
  },
  {
    what: 'a notification of a jetton that no master vouches for',
    make: async () => {
      await network.chain.apply(hostileJetton({ name: 'Dollar', symbol: 'USDC', decimals: 6 }).message)
      return arrived()
    },
    arrived: null,
  },
]

const createHarness = (tested: TonAdapter, addresses: Partial<TonOptions>): ConformanceHarness => {
  const raw = user.address.toRawString()
  const { hostile, forget, smallPages } = hostileNodes(network.chain, {
    other: async () => {
      const other = await startTestedTon()
      return { endpoint: other.chain.endpoint, close: () => other.close() }
    },
    finalDepth: 0,
  })
  const bounceable = user.address.toString()
  return {
    versions: { adapter: '@causeway/chain-tonvm 1.0.0', localChain: 'local TON network 1.0.0' },
    adapter: tested,
    rpc: endpoints(),
    createAdapter: async (rpc) => adapterOver(rpc, addresses),
    smallPages: async () => adapterOver([{ ...(await smallPages()).endpoint, provider: 'small pages' }], addresses),
    signer: solver.signer,
    allocator: vault.signer,
    seed,
    user: { address: raw, send, sendFailing },
    currencies: [NATIVE, token],
    nativeDecimals: 9,
    amount: AMOUNT,
    freshAddress: async () => newKey().address,
    addresses: {
      valid: [
        { text: raw, canonical: raw },
        { text: bounceable, canonical: raw },
        { text: user.address.toString({ bounceable: false }), canonical: raw },
        { text: user.address.toString({ urlSafe: false }), canonical: raw },
        { text: raw.toUpperCase(), canonical: raw },
      ],
      invalid: [
        { text: '0x00000000000000000000000000000000000000aa', problem: 'foreign-network' },
        { text: user.address.toString({ testOnly: true }), problem: 'foreign-network' },
        { text: `-1:${raw.slice(2)}`, problem: 'foreign-network' },
        {
          text: `${bounceable.slice(0, -1)}${bounceable.endsWith('A') ? 'B' : 'A'}`,
          problem: 'bad-checksum',
        },
        { text: bounceable.slice(0, -3), problem: 'malformed' },
        { text: `${raw} `, problem: 'malformed' },
      ],
    },
    feeErrorPercent: { deposit: 50, payout: 50 },
    // The depository is a wallet, which pays the gas of what it receives.
    receivingCost: TON / 1000n,
    finalDepth: 0,
    height: () => network.chain.height(),
    patienceSeconds: 30,
    advance: (blocks) => network.chain.advance(blocks),
    expire: async () => {
      await network.chain.wind((LIFETIME_SECONDS + 60) * 1000)
      await network.chain.advance(2)
    },
    impossibleRecipients: async () => [
      { what: 'a jetton whose wallets take none', address: newKey().address, currency: closed },
    ],
    lookAlikes: lookAlikes(),
    hostile,
    forget,
    deviations: DEVIATIONS,
  }
}

const DEVIATIONS = {
  'deposit-fee': 'The depository shows the fee of its own transaction, not that of the user.',
  'deposit-strange-token': 'Only code of a jetton names it, and no code of a jetton that is not configured is run.',
} as const

/** A masterchain block stays, and a payment cannot be replaced. */
const EXEMPT = [
  ...['deposit-reorg', 'deposit-tagged', 'payout-tagged', 'payout-reorg', 'final-height'],
  ...['payout-replaced', 'payout-cancelled', 'arrival-reorg', 'sweep-replaced', 'sweep-reorg'],
  ...['wallet-signature', 'wallet-hostile', 'wallet-agreed'],
  ...['permit-bound', 'permit-paid', 'permit-once', 'permit-found'],
]

test('the TON adapter keeps every rule of the kit', { timeout: 900_000 }, async () => {
  const lines: string[] = []
  const report = await runConformance(createHarness(adapter, KEYS), { print: (line) => lines.push(line) })
  expect(report.failed, lines.join('\n')).toEqual([])
  expect(report.deviations.map(({ name }) => name).sort()).toEqual(Object.keys(DEVIATIONS).sort())
  expect(report.exemptions.map(({ name }) => name)).toEqual(EXEMPT)
  expect(report.passed).toBe(RULE_IDS.length - EXEMPT.length - Object.keys(DEVIATIONS).length)
})

const ADDRESS_RULES = /^(?:address-|arrival-|sweep-|holdings$)/

test('comments of one account keep the rules of deposit addresses', { timeout: 600_000 }, async () => {
  const comments = await startAdapter(COMMENTS)
  try {
    const cases = conformanceCases(createHarness(comments, COMMENTS)).filter(({ id }) => ADDRESS_RULES.test(id))
    const failed: string[] = []
    for (const { name, exemption, run } of cases)
      if (exemption === null) await run().catch((error: unknown) => failed.push(`${name}: ${String(error)}`))
    expect(failed).toEqual([])
    expect(cases.flatMap(({ id, exemption }) => (exemption === null ? [] : [id]))).toEqual([
      'address-genuine',
      'arrival-reorg',
      'sweep-replaced',
      'sweep-reorg',
    ])
  } finally {
    await comments.stop()
  }
})
