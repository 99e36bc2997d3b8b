import { environmentOf, type Json, systemClock } from '@causeway/core'
import { createSecp256k1Signer, type PreparedAttempt, type RpcEndpoint } from '@causeway/core/chain'
import {
  type Alteration,
  type ConformanceHarness,
  conformanceCases,
  type HostileEndpoint,
  type HostileKind,
  harnessWith,
  type LookAlike,
  laneWith,
  RULE_IDS,
  runConformance,
} from '@causeway/core/testing'
import { Psbt } from 'bitcoinjs-lib'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NATIVE } from './address/addresses.js'
import { BvmAdapter } from './bvmAdapter.js'
import { accountOfSeed } from './derive/depositAddress.js'
import { NETWORKS } from './network/networks.js'
import { startRewritingNode } from './source/rewritingNode.test.support.js'
import { accountOf, type BitcoinAccount, type LocalBitcoin, startLocalBitcoin } from './testing/index.js'

const AMOUNT = 1_000_000n
const NONE_FAILS = 'a transaction of Bitcoin is in a block or it is not: none fails there'
/** Coins of the solver: payouts that are prepared together each need one. */
const SOLVER_COINS = 40
/** Payouts that share a transaction, by either API: several, and none. */
const SHARED = { esplora: 3, core: 1 } as const
/** Whether sweeps name the depositor, which takes nodes that pass on longer texts: by one API they do. */
const CREDITED = { esplora: true, core: false } as const
const INDEXED = 'Esplora has an index of the whole chain and drops no block'
const PAGES = 'pages have the 25 transactions of Esplora, or blocks one by one: see watch/watcher.chain.test.ts'
const FINAL_DEPTH = 6
const SEED = new Uint8Array(32).fill(0x53)

const [solverKey, vaultKey] = ['51'.repeat(32), '52'.repeat(32)]
const account = (key: string): BitcoinAccount => accountOf(Uint8Array.from(Buffer.from(key, 'hex')))
const [solver, vault] = [account(solverKey), account(vaultKey)]

/** Count over all runs on one chain, so that no recipient is paid by two of them. */
let recipients = 0
let chain: LocalBitcoin
let adapter: BvmAdapter

const firstUser = (): BitcoinAccount => {
  const [user] = chain.accounts
  if (user === undefined) throw new Error('the chain has no accounts')
  return user
}

const adapterOver = (rpc: readonly RpcEndpoint[], access: 'esplora' | 'core'): BvmAdapter => {
  const config = {
    id: 9_000_002,
    slug: 'local-bvm',
    name: 'Local',
    package: '@causeway/chain-bvm',
    rpc,
    currencies: [{ address: NATIVE, symbol: 'BTC', name: 'Bitcoin', decimals: 8, groupId: 'btc' }],
    confirmations: { fill: 1, success: 1, settle: FINAL_DEPTH, settleSeconds: 0 },
    solver: solver.addresses.p2wpkh,
    enabled: true,
    options: {},
  }
  const options = {
    depository: vault.addresses.p2wpkh,
    network: 'regtest' as const,
    access: rpc.map(() => access),
    minFeeRate: 2,
    pollIntervalMs: 50,
    rpcTimeoutMs: 2500,
    endpointCheckMs: 200,
    payoutsPerTransaction: SHARED[access],
    depositAccountKey: accountOfSeed(SEED, NETWORKS.regtest).publicExtendedKey,
    creditSweeps: CREDITED[access],
  }
  return new BvmAdapter(options, {
    config,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    environment: environmentOf({}),
  })
}

/** Signs and sends the PSBT of a step as a wallet does, and mines it. */
const sendPsbt = async (user: BitcoinAccount, data: Json): Promise<string> => {
  // CAST: the shape of a step item of Bitcoin (wire.md A.5).
  const { psbt } = data as unknown as { readonly psbt: string }
  const signed = Psbt.fromHex(psbt, { network: chain.network }).signAllInputs(user.key)
  const id = await chain.send(signed.finalizeAllInputs().extractTransaction())
  await chain.mine()
  return id
}

const mined = async (sending: Promise<string>): Promise<string> => {
  const id = await sending
  await chain.mine()
  return id
}

const lookAlikes = (): readonly LookAlike[] => {
  const user = firstUser()
  const { p2wpkh } = vault.addresses
  return [
    {
      what: 'a payment to somebody else with the order id',
      make: (data) => mined(chain.pay(user, [{ to: solver.addresses.p2wpkh, value: AMOUNT }], { data })),
      arrived: null,
    },
    {
      what: 'a payment to another script of the same key',
      make: (data) => mined(chain.pay(user, [{ to: vault.addresses.p2pkh, value: AMOUNT }], { data })),
      arrived: null,
    },
    {
      what: 'a withdrawal whose change goes back to the depository',
      make: async (data) => {
        const coin = await chain.fund(p2wpkh, AMOUNT)
        const coins = [{ txid: coin.txid, vout: coin.vout, value: AMOUNT, form: 'p2wpkh' as const }]
        return mined(chain.pay(vault, [{ to: p2wpkh, value: AMOUNT - 2000n }], { data, coins, change: null }))
      },
      arrived: null,
    },
    {
      what: 'two outputs to the depository, and one to somebody else',
      make: (data) => {
        const outputs = [
          { to: p2wpkh, value: 700n },
          { to: solver.addresses.p2wpkh, value: AMOUNT },
          { to: p2wpkh, value: 900n },
        ]
        return mined(chain.pay(user, outputs, { data }))
      },
      arrived: { currency: NATIVE, amount: 1600n },
    },
    {
      what: 'a smaller payment whose text tells of a larger one',
      make: (orderId) =>
        mined(chain.pay(user, [{ to: p2wpkh, value: 777n }], { data: `${orderId} ${AMOUNT}`.slice(0, 80) })),
      arrived: { currency: NATIVE, amount: 777n },
    },
  ]
}

const hostile = async (kind: HostileKind, access: 'esplora' | 'core'): Promise<HostileEndpoint> => {
  if (kind === 'forked') {
    const other = await startLocalBitcoin()
    await other.mine(chain.node.chain.height - other.node.chain.height)
    return { endpoint: { http: access === 'core' ? other.rpcUrl : other.url }, close: () => other.close() }
  }
  const [first, old] = [chain.node.chain.blockAt(0).hash, chain.node.chain.blockAt(3).hash]
  const node = await startRewritingNode(access === 'core' ? chain.rpcUrl : chain.url, (asked, answer) => {
    if (kind === 'wrong-chain') return answer.replaceAll(first, 'ab'.repeat(32))
    if (asked.startsWith('GET /blocks/tip/hash')) return old
    return asked.includes('getblockchaininfo')
      ? answer.replaceAll(/("bestblockhash": ?")[0-9a-f]{64}/g, `$1${old}`)
      : answer
  })
  return { endpoint: { http: node.url }, close: () => node.close() }
}

const createHarness = (access: 'esplora' | 'core'): ConformanceHarness => {
  const user = firstUser()
  return {
    versions: { adapter: '@causeway/chain-bvm 1.0.0', localChain: `regtest node of the package, by ${access}` },
    adapter,
    rpc: [endpoint(access)],
    createAdapter: (rpc) => adapterOver(rpc, access),
    signer: createSecp256k1Signer(`0x${solverKey}`),
    allocator: createSecp256k1Signer(`0x${vaultKey}`),
    seed: SEED,
    user: { address: user.addresses.p2wpkh, send: (data) => sendPsbt(user, data) },
    currencies: [NATIVE],
    nativeDecimals: 8,
    amount: AMOUNT,
    freshAddress: () => {
      recipients += 1
      return account((recipients + 0x1000).toString(16).padStart(64, '0')).addresses.p2wpkh
    },
    addresses: {
      valid: [
        ...Object.values(user.addresses).map((text) => ({ text, canonical: text })),
        { text: user.addresses.p2wpkh.toUpperCase(), canonical: user.addresses.p2wpkh },
      ],
      invalid: [
        { text: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', problem: 'foreign-network' },
        { text: '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo', problem: 'foreign-network' },
        { text: '0x00000000000000000000000000000000000000aa', problem: 'foreign-network' },
        { text: 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC', problem: 'foreign-network' },
        { text: changed(user.addresses.p2wpkh), problem: 'bad-checksum' },
        { text: changed(user.addresses.p2tr), problem: 'bad-checksum' },
        { text: changed(user.addresses.p2pkh), problem: 'bad-checksum' },
        { text: user.addresses.p2wpkh.slice(0, -2), problem: 'malformed' },
        { text: `${user.addresses.p2wpkh}q`, problem: 'malformed' },
        { text: `B${user.addresses.p2wpkh.slice(1)}`, problem: 'malformed' },
      ],
    },
    feeErrorPercent: { deposit: 10, payout: 10 },
    finalDepth: FINAL_DEPTH,
    height: async () => chain.node.chain.height,
    patienceSeconds: 60,
    advance: async (blocks) => {
      await chain.mine(blocks)
    },
    reorg: (depth) => chain.reorg(depth, { drop: 'all' }),
    lookAlikes: lookAlikes(),
    impossibleRecipients: async () => [
      { what: 'the depository', address: vault.addresses.p2wpkh, currency: NATIVE },
      { what: 'the marker of the currency', address: NATIVE, currency: NATIVE },
    ],
    hostile: (kind) => hostile(kind, access),
    ...(access === 'core' ? { forget } : {}),
    deviations: {
      'deposit-failed': NONE_FAILS,
      'payout-reverted': NONE_FAILS,
      'arrival-failed': NONE_FAILS,
      'deposit-paged': PAGES,
      ...(access === 'core' ? {} : { 'deposit-forgotten': INDEXED, 'death-forgotten': INDEXED }),
    },
  }
}

const forget = async (): Promise<HostileEndpoint> => {
  await chain.prune(FINAL_DEPTH + 1)
  return { endpoint: endpoint('core'), close: () => chain.prune(0) }
}

/** With its last letter changed. */
const changed = (text: string): string => `${text.slice(0, -1)}${text.endsWith('q') ? 'p' : 'q'}`

const endpoint = (access: 'esplora' | 'core'): RpcEndpoint => ({
  http: access === 'core' ? chain.rpcUrl : chain.url,
  provider: 'local',
})

interface SharingWrongly {
  readonly wrong: string
  readonly says: string
  readonly wrap: Alteration
}

const sharingWrongly: readonly SharingWrongly[] = [
  {
    wrong: 'declares transactions of several payouts and makes none',
    says: 'has none of them share one',
    wrap: laneWith((real) => ({
      prepare: async (items, position) => {
        const prepared: (PreparedAttempt | null)[] = []
        let next = position
        for (const item of items) {
          const alone = await real.prepare([item], next)
          prepared.push(...alone.prepared)
          next = alone.position
        }
        return { prepared, position: next }
      },
    })),
  },
  {
    wrong: 'puts more payouts into a transaction than it declares',
    says: 'more than the 2 that are declared',
    wrap: laneWith(() => ({ payoutsPerTransaction: 2 })),
  },
  {
    wrong: 'takes what a transaction pays to others for paid to each',
    says: 'reached an account that the transaction does not pay',
    wrap: laneWith((real) => ({
      states: async (attempts) =>
        (await real.states(attempts)).map((state, at) =>
          state.block === null ? state : { ...state, paid: attempts[at]?.payout.money.amount ?? null },
        ),
    })),
  },
  {
    wrong: 'reads one order of each transaction back',
    says: 'does not read every order of a transaction back',
    wrap: laneWith((real) => ({
      read: async (address, stored) => {
        const { unknown, ...reading } = await real.read(address, stored)
        const first = unknown.filter(({ tx }, at) => unknown.findIndex((other) => other.tx.id === tx.id) === at)
        return { ...reading, unknown: first }
      },
    })),
  },
]

/** Adds the tests of the kit over one API of a node. */
export const testConformance = (access: 'esplora' | 'core'): void => {
  beforeAll(async () => {
    const maxDataScript = CREDITED[access] ? 150 : 83
    chain = await startLocalBitcoin({ policy: { coinbaseMaturity: 1, maxDataOutputs: SHARED[access], maxDataScript } })
    for (let at = 0; at < SOLVER_COINS; at++) await chain.fund(solver.addresses.p2wpkh, 20_000_000n, { mine: false })
    await chain.mine()
    adapter = adapterOver([endpoint(access)], access)
    await adapter.start(new AbortController().signal)
  })

  afterAll(async () => {
    await adapter?.stop()
    await chain?.close()
  })

  test(`by the API of ${access} the Bitcoin adapter keeps every rule of the kit`, { timeout: 900_000 }, async () => {
    const lines: string[] = []
    const report = await runConformance(createHarness(access), { print: (line) => lines.push(line) })
    expect(report.failed, lines.join('\n')).toEqual([])
    const [deviations, exempt] = [
      [
        ...['deposit-paged', 'deposit-failed', 'payout-reverted', 'arrival-failed'],
        ...(access === 'core' ? [] : ['deposit-forgotten', 'death-forgotten']),
      ],
      [
        'deposit-strange-token',
        'deposit-tagged',
        'payout-tagged',
        ...(SHARED[access] > 1 ? [] : ['payout-shared']),
        'final-height',
        'payout-expired',
        'address-genuine',
        'wallet-signature',
        'wallet-hostile',
        'wallet-agreed',
        'permit-bound',
        'permit-paid',
        'permit-once',
        'permit-found',
      ],
    ]
    expect(report.deviations.map(({ name }) => name)).toEqual(deviations)
    expect(report.exemptions.map(({ name }) => name)).toEqual(exempt)
    expect(report.passed).toBe(RULE_IDS.length - deviations.length - exempt.length)
  })

  test.runIf(SHARED[access] > 1).each(sharingWrongly)(
    'the kit notices an adapter that $wrong',
    async ({ says, wrap }) => {
      const cases = conformanceCases(harnessWith(createHarness(access), wrap))
      await expect(cases.find(({ id }) => id === 'payout-shared')?.run()).rejects.toThrow(says)
    },
  )
}
