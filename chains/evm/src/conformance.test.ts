import { randomBytes } from 'node:crypto'
import { eventTopics, testTokenAbi } from '@causeway/contracts-abi'
import type { ChainAdapter, Hex, Json, LaneAdapter, RpcEndpoint, WatchPage } from '@causeway/core'
import {
  type ConformanceHarness,
  conformanceCases,
  type HostileEndpoint,
  type HostileKind,
  type LookAlike,
  RULE_IDS,
  type RuleId,
  runConformance,
} from '@causeway/core/testing'
import { concatHex, encodeFunctionData, getAddress, numberToHex, pad, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ZERO_ADDRESS } from './contracts/addresses.js'
import type { EvmAdapter } from './evmAdapter.js'
import { startFaultProxy } from './testing/faultProxy.js'
import { type LocalAccount, type LocalEvmChain, startLocalChain } from './testing/localChain.js'
import { privateKeySigner } from './testing/localSigner.js'
import { startTestDeployment, type TestDeployment } from './testing/testDeployment.js'

const AMOUNT = 1_000_000n

let deployment: TestDeployment
let adapter: EvmAdapter
let blocking: string
let blocked: string
let strange: string

beforeAll(async () => {
  deployment = await startTestDeployment(31_190)
  const { chain } = deployment
  const [user, solver] = chain.accounts as readonly [LocalAccount, LocalAccount]
  blocking = await chain.deployToken({ name: 'Blocking', symbol: 'BLK', decimals: 6, kind: 'blocking' })
  strange = await chain.deployToken({ name: 'Strange', symbol: 'STR', decimals: 6 })
  blocked = `0x${randomBytes(20).toString('hex')}`
  await chain.fund(solver.address, 10n ** 12n, blocking)
  await chain.fund(user.address, 10n ** 12n, strange)
  const args = [getAddress(blocked)] as const
  const data = encodeFunctionData({ abi: parseAbi(['function block(address)']), functionName: 'block', args })
  await sendMined(chain, user, { to: blocking, data })
  adapter = adapterOver([{ http: chain.rpcUrl, ws: chain.wsUrl }])
  await adapter.start(new AbortController().signal)
})
afterAll(async () => {
  await adapter?.stop()
  await deployment?.chain.close()
})

const adapterOver = (rpc: readonly RpcEndpoint[]): EvmAdapter =>
  deployment.adapter({ rpc, options: { rpcTimeoutMs: 2_500, endpointCheckMs: 200 } })

/** Sends with a plain wallet library and waits for the block. */
const sendMined = async (
  chain: LocalEvmChain,
  account: LocalAccount,
  transaction: Parameters<LocalEvmChain['send']>[1],
): Promise<Hex> => {
  const hash = await chain.send(account, transaction)
  await vi.waitFor(async () => expect(await chain.rpc('eth_getTransactionReceipt', [hash])).not.toBeNull(), 10_000)
  return hash
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

const lookAlikes = (): readonly LookAlike[] => {
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

const hostile = async (kind: HostileKind): Promise<HostileEndpoint> => {
  if (kind === 'wrong-chain') {
    const other = await startLocalChain({ chainId: 31_191 })
    return { endpoint: { http: other.rpcUrl }, close: () => other.close() }
  }
  const { chain } = deployment
  const first = await chain.rpc('eth_getBlockByNumber', ['0x0', false])
  const proxy = await startFaultProxy(chain.rpcUrl)
  const old = { ...(first as object), timestamp: '0x5f5e1000' }
  proxy.add('eth_getBlockByNumber', { when: ([number]) => number === 'latest', rewrite: () => old })
  proxy.add('eth_blockNumber', { rewrite: () => '0x0' })
  return { endpoint: { http: proxy.url }, close: () => proxy.close() }
}

type Wrap = (subject: ChainAdapter) => ChainAdapter

const createHarness = (wrap: Wrap = (subject) => subject): ConformanceHarness => {
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
    adapter: wrap(adapter),
    rpc: [{ http: chain.rpcUrl, ws: chain.wsUrl, provider: 'local' }],
    createAdapter: (rpc) => wrap(adapterOver(rpc)),
    signer: privateKeySigner(solver.privateKey),
    allocator: privateKeySigner(allocator.privateKey),
    user: {
      address: user.address,
      send: (data) => sendMined(chain, user, transactionOf(data)),
      sendFailing: (data) => sendMined(chain, user, { ...transactionOf(data), gas: 23_300n }),
    },
    currencies: [ZERO_ADDRESS, token],
    amount: AMOUNT,
    freshAddress: () => `0x${randomBytes(20).toString('hex')}`,
    addresses: {
      valid: [
        { text: checksummed, canonical: user.address },
        { text: user.address, canonical: user.address },
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
    advance: (blocks) => chain.mine(blocks),
    reorg: (depth) => chain.reorg(depth),
    strangeToken: async () => strange,
    lookAlikes: lookAlikes(),
    impossibleRecipients: async () => [
      { what: 'the zero address', address: ZERO_ADDRESS, currency: ZERO_ADDRESS },
      { what: 'a contract that takes no native currency', address: token, currency: ZERO_ADDRESS },
      { what: 'an account that the token blocks', address: blocked, currency: blocking },
    ],
    hostile,
  }
}

describe('the EVM adapter keeps every rule of the kit', () => {
  it('on a real chain, native currency and a token, without a deviation', { timeout: 600_000 }, async () => {
    const lines: string[] = []
    const report = await runConformance(createHarness(), { print: (line) => lines.push(line) })
    expect(report.failed, lines.join('\n')).toEqual([])
    expect(report.deviations).toEqual([])
    expect(report.exemptions.map(({ name }) => name)).toEqual(['payout-expired'])
    expect(report.passed).toBe(RULE_IDS.length - 1)
    expect(lines).toContain(`${report.passed} passed, 0 failed`)
  })
})

/** The real adapter with one thing wrong. */
const altered = <Subject extends object>(subject: Subject, changes: (real: Subject) => Partial<Subject>): Subject => {
  const other = changes(subject)
  return new Proxy(subject, {
    get(target, key) {
      if (key in other) return Reflect.get(other, key)
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const adapterWith =
  (changes: (real: ChainAdapter) => Partial<ChainAdapter>): Wrap =>
  (subject) =>
    altered(subject, changes)

const laneWith = (changes: (real: LaneAdapter) => Partial<LaneAdapter>): Wrap =>
  adapterWith(({ lane }) => ({ lane: altered(lane, changes) }))

/** Changes the pages that the watcher gives; null drops one. */
const pagesWith = (change: (page: WatchPage, at: number) => WatchPage): Wrap =>
  adapterWith((real) => ({
    async *watch(cursor, signal) {
      let at = 0
      for await (const page of real.watch(cursor, signal)) {
        yield change(page, at)
        at += 1
      }
    },
  }))

const mutants: readonly { readonly wrong: string; readonly rule: RuleId; readonly wrap: Wrap }[] = [
  {
    wrong: 'takes addresses with a wrong checksum',
    rule: 'addresses-checksum',
    wrap: adapterWith(() => ({
      validateAddress: (text) =>
        /^0x[0-9a-fA-F]{40}$/.test(text)
          ? { ok: true, canonical: text.toLowerCase() }
          : { ok: false, why: 'No address.' },
    })),
  },
  {
    wrong: 'keeps addresses as they were typed',
    rule: 'addresses-valid',
    wrap: adapterWith((real) => ({
      validateAddress: (text) => {
        const result = real.validateAddress(text)
        return result.ok ? { ...result, canonical: text } : result
      },
    })),
  },
  {
    wrong: 'does not know the zero address',
    rule: 'currencies',
    wrap: adapterWith(() => ({ normalizeCurrency: () => null })),
  },
  {
    wrong: 'credits more than arrived',
    rule: 'deposit-seen',
    wrap: pagesWith((page) => ({
      ...page,
      deposits: page.deposits.map((item) => ({
        ...item,
        money: { ...item.money, amount: item.money.amount + 1n },
      })),
    })),
  },
  {
    wrong: 'names a deposit anew each time it is seen',
    rule: 'deposit-resumed',
    wrap: adapterWith((real) => ({
      async *watch(cursor, signal) {
        const shift = Math.floor(Math.random() * 1_000_000)
        for await (const page of real.watch(cursor, signal)) {
          yield { ...page, deposits: page.deposits.map((item) => ({ ...item, position: item.position + shift })) }
        }
      },
    })),
  },
  {
    wrong: 'gives a cursor that is ahead of what it read',
    rule: 'deposit-resumed',
    wrap: adapterWith((real) => ({
      // From a stored cursor on it begins at the tip, as if nothing had been missed.
      watch: (_cursor, signal) => real.watch(null, signal),
    })),
  },
  {
    wrong: 'keeps one deposit of an order only',
    rule: 'deposit-duplicate',
    wrap: adapterWith((real) => ({
      async *watch(cursor, signal) {
        const known = new Set<string | null>()
        for await (const page of real.watch(cursor, signal)) {
          const deposits = page.deposits.filter(({ orderId }) => {
            const isNew = !known.has(orderId)
            known.add(orderId)
            return isNew
          })
          yield { ...page, deposits }
        }
      },
    })),
  },
  {
    wrong: 'confirms whatever it is asked',
    rule: 'deposit-confirmed',
    wrap: adapterWith(() => ({ confirmDeposit: async () => true })),
  },
  {
    wrong: 'calls every token by the name of the first',
    rule: 'deposit-strange-token',
    wrap: pagesWith((page) => ({
      ...page,
      deposits: page.deposits.map((item) => ({ ...item, money: { ...item.money, currency: deployment.token } })),
    })),
  },
  {
    wrong: 'does not tell that blocks left the chain',
    rule: 'deposit-reorg',
    wrap: pagesWith((page) => ({ ...page, rewoundTo: null })),
  },
  {
    wrong: 'claims success for what was never sent',
    rule: 'payout-once',
    wrap: laneWith((real) => ({
      states: async (attempts) =>
        (await real.states(attempts)).map((state) => ({ ...state, status: 'success' as const })),
    })),
  },
  {
    wrong: 'signs another transaction each time the same bytes should be sent again',
    rule: 'payout-once',
    wrap: laneWith((real) => ({
      broadcast: async (attempts) => {
        const [first] = attempts
        if (first === undefined) return []
        const { chain } = deployment
        const { to, value } = first.transaction as { readonly to: string; readonly value: string }
        await sendMined(chain, chain.accounts[4] as LocalAccount, { to, value: BigInt(value) })
        return real.broadcast(attempts)
      },
    })),
  },
  {
    wrong: 'tells half of the fee',
    rule: 'payout-books',
    wrap: laneWith((real) => ({
      states: async (attempts) => (await real.states(attempts)).map((state) => ({ ...state, fee: state.fee / 2n })),
    })),
  },
  {
    wrong: 'gives every payment the same guard',
    rule: 'payout-together',
    wrap: laneWith((real) => ({
      prepare: async (payouts, position) => {
        const result = await real.prepare(payouts, position)
        return { ...result, prepared: result.prepared.map((item) => item && { ...item, guards: ['nonce:0'] }) }
      },
    })),
  },
  {
    wrong: 'estimates ten times the fee',
    rule: 'deposit-fee',
    wrap: adapterWith((real) => ({
      estimateDepositFee: async (request) => {
        const quote = await real.estimateDepositFee(request)
        return { ...quote, network: { ...quote.network, amount: quote.network.amount * 10n } }
      },
    })),
  },
  {
    wrong: 'calls everything dead',
    rule: 'payout-landed',
    wrap: laneWith(() => ({ isDead: async () => 'dead' })),
  },
  {
    wrong: 'calls dead what it cannot ask about',
    rule: 'death-doubtful',
    wrap: laneWith((real) => ({
      isDead: (guards, txIds, options) => real.isDead(guards, txIds, options).catch(() => 'dead' as const),
    })),
  },
  {
    wrong: 'replaces under other guards',
    rule: 'payout-replaced',
    wrap: laneWith((real) => ({
      replace: async (attempt, options) => {
        const next = await real.replace(attempt, options)
        return next === null ? null : { ...next, guards: ['nonce:other'] }
      },
    })),
  },
  {
    wrong: 'says that a broadcast without an answer was refused',
    rule: 'broadcast-doubtful',
    wrap: laneWith((real) => ({
      broadcast: async (attempts) =>
        (await real.broadcast(attempts)).map((result) =>
          result.outcome === 'unknown' ? { outcome: 'rejected', reason: 'invalid', message: 'No.' } : result,
        ),
    })),
  },
  {
    wrong: 'simulates nothing',
    rule: 'payout-unaffordable',
    wrap: adapterWith(() => ({ simulate: async () => ({ ok: true, gas: 21_000n, block: 1n }) })),
  },
  {
    wrong: 'does not look for payments that its journal lacks',
    rule: 'journal-lost',
    wrap: laneWith((real) => ({
      read: async (address, stored) => ({ ...(await real.read(address, stored)), unknown: [] }),
    })),
  },
  {
    wrong: 'watches on after an abort',
    rule: 'wait-watch',
    wrap: adapterWith((real) => ({ watch: (cursor) => real.watch(cursor, new AbortController().signal) })),
  },
  {
    wrong: 'tells the URL of its endpoint',
    rule: 'errors-mapped',
    wrap: adapterWith((real) => ({
      getBalances: (queries) =>
        real.getBalances(queries).catch(() => {
          throw new Error('POST http://127.0.0.1/key failed')
        }),
    })),
  },
  {
    wrong: 'calls every endpoint well',
    rule: 'endpoint-faults',
    wrap: adapterWith((real) => ({
      endpoints: () => (real.endpoints?.() ?? []).map((health) => ({ ...health, state: 'ok' })),
    })),
  },
]

describe('the kit notices an adapter that', { timeout: 120_000 }, () => {
  it.each(mutants)('$wrong ($rule)', async ({ rule, wrap }) => {
    const found = conformanceCases({ ...createHarness(wrap), patienceSeconds: 4 }).find(({ id }) => id === rule)
    await expect(found?.run()).rejects.toThrow()
  })
})

describe('the harness', () => {
  const nameOf = (changes: Partial<ConformanceHarness>, rule: RuleId) =>
    conformanceCases({ ...createHarness(), ...changes }).find(({ id }) => id === rule)

  it('must say why an ability is missing', async () => {
    const { reorg: _, ...without } = createHarness()
    const [missing] = conformanceCases(without).filter(({ id }) => id === 'deposit-reorg')
    await expect(missing?.run()).rejects.toThrow('declare the deviation "deposit-reorg"')
    const declared = conformanceCases({ ...without, deviations: { 'deposit-reorg': 'blocks are final' } })
    expect(declared.find(({ id }) => id === 'deposit-reorg')?.name).toContain('[deviation: blocks are final]')
  })

  it('cannot deviate from rules that protect money, from unknown ones, or from what it can do', async () => {
    await expect(nameOf({ deviations: { 'payout-once': 'slow' } }, 'payout-once')?.run()).rejects.toThrow(
      'no rule to deviate',
    )
    await expect(nameOf({ deviations: { 'deposit-reorg': 'slow' } }, 'deposit-reorg')?.run()).rejects.toThrow(
      'remove one',
    )
    // CAST: what a caller without types may write.
    const unknown = { 'no-such-rule': 'x' } as Partial<Record<RuleId, string>>
    expect(() => conformanceCases({ ...createHarness(), deviations: unknown })).toThrow('knows no rule "no-such-rule"')
  })
})
