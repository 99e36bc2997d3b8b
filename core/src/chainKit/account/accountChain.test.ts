import { pino } from 'pino'
import { afterEach, expect, it, test } from 'vitest'
import { NOTHING_LIVE } from '../../chain/address/depositAddresses.js'
import type { BlockRef } from '../../chain/chainReferences.js'
import { ServiceError } from '../../errors/serviceError.js'
import type { Endpoint } from '../endpoints/endpoint.js'
import { EndpointPool } from '../endpoints/endpointPool.js'
import { openEndpoints } from '../endpoints/openEndpoints.js'
import type { LedgerSource } from '../ledger/ledgerSource.js'
import { ACCOUNT, FakeAccount, LIFETIME, payoutTo, SIGNER } from '../sequence/fakeAccount.test.support.js'
import type { SequenceChain } from '../sequence/sequenceChain.js'
import { type AccountChainParts, type AccountQuestions, accountChain } from './accountChain.js'

/** A node of the fake chain. */
interface Client {
  readonly name: string
  head: bigint
  /** Height of the balances that it shows, where it invents one. */
  invents?: bigint
}
type Node = Endpoint<Client>
/** A transaction by its id and the height of its block. */
type Entry = readonly [id: string, height: bigint]

const blockAt = (height: bigint): BlockRef => ({ height, hash: `0x${height}`, time: 1_000 + Number(height) })
const MONEY = { currency: 'coin', amount: 5n }

const source = (entries: readonly Entry[]): LedgerSource<Node, Entry> => ({
  head: async ({ client }) => blockAt(client.head),
  page: async (_, { after, upTo }) => ({
    transactions: entries.filter(([, height]) => height > after && height <= upTo),
    more: null,
  }),
  transactions: async (_, txs) => txs.map(({ id }) => entries.find(([known]) => known === id) ?? null),
  readingOf: ([id, height]) => ({
    status: 'success',
    block: blockAt(height),
    deposits: [
      {
        ...{ state: 'included', tx: { id }, position: 0, index: 0, orderId: null, depositor: 'user', fee: 1n },
        ...{ depository: 'vault', money: MONEY, block: blockAt(height) },
        txData: { from: 'user', to: 'vault', data: '', value: '5' },
      },
    ],
  }),
})

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

type Parts = AccountChainParts<Client, Node, Entry>

const chainOf = (clients: readonly Client[], changes: Partial<Pick<Parts, 'questions' | 'payments'>> = {}) => {
  const endpoints = openEndpoints(
    clients.map(({ name }) => ({ http: name, provider: name })),
    // CAST: a client for each endpoint.
    { open: (_, at) => clients[at] as Client, identify: async () => true, close: () => undefined },
  )
  const logger = pino({ level: 'silent' })
  const questions: AccountQuestions<Node, Entry> = {
    balances: async ({ client }, queries) => ({
      amounts: queries.map(() => 7n),
      height: client.invents ?? client.head,
    }),
    ...changes.questions,
  }
  const account = new FakeAccount(true)
  const chain = accountChain<Client, Node, Entry, AccountQuestions<Node, Entry>>({
    config: {
      ...{ id: 7, slug: 'fake', currencies: [], rpc: clients.map(({ name }) => ({ http: name })) },
      confirmations: { fill: 1, success: 1, settle: 0, settleSeconds: 0 },
    },
    ...{ logger, pool: new EndpointPool({ endpoints, logger }), blockMs: 1000, depository: 'vault', questions },
    probe: {
      ...{ unit: 'block', depth: 0n, final: true, maxAhead: 100n, lag: { limit: 10n, reason: 'Behind.' } },
      head: async ({ head }) => ({ height: head, progress: head, comparable: head, time: null }),
      hashAt: async (_, height) => `0x${height}`,
    },
    settings: { pollIntervalMs: 20, endpointCheckMs: 1000 },
    native: { address: 'coin', symbol: 'COIN', name: 'Coin', decimals: 6 },
    forms: { validateAddress: (text) => ({ ok: true, canonical: text }), normalizeCurrency: (text) => text },
    source: source([['d', 12n]]),
    startHeight: 10n,
    payments: {
      // CAST: the fake account looks at nothing of a node but whether it is away.
      chain: account as unknown as SequenceChain<Node>,
      ...{ order: { kind: 'strict' }, lifetime: LIFETIME, cosigns: true },
      ...changes.payments,
    },
  })
  stops.push(() => chain.reader.stop())
  return { ...chain, account }
}

test('a chain without a stream is polled, watched and paid on through one set of parts', async () => {
  const { reader, lane } = chainOf([{ name: 'one', head: 20n }])
  const stop = new AbortController()
  await reader.start(stop.signal)
  expect(await reader.tip()).toEqual(blockAt(20n))
  for await (const page of reader.watch(null, NOTHING_LIVE, stop.signal)) {
    expect(page.deposits.map(({ tx }) => tx.id)).toEqual(['d'])
    break
  }
  expect(
    await reader.confirmDeposit({ tx: { id: 'd' }, position: 0, money: MONEY, orderId: null }, { agreeing: 1 }),
  ).toBe(true)
  expect(reader.endpoints().map(({ name, state }) => [name, state])).toEqual([['one', 'ok']])
  expect([lane.cosigns, lane.validity, await lane.mayBeDead?.([`sequence:${ACCOUNT}:5:19`])]).toEqual([
    true,
    undefined,
    true,
  ])
  stop.abort()
})

test('F131: balances of a height that the pace of heads does not explain are asked of the next node', async () => {
  const liar = { name: 'liar', head: 20n, invents: 10n ** 9n }
  const { reader } = chainOf([liar, { name: 'two', head: 20n }])
  await reader.start(new AbortController().signal)
  expect(await reader.getBalances([{ address: 'a', currency: 'coin' }])).toEqual({ amounts: [7n], height: 20n })
})

it('has a member for each question, which the nodes answer in order, and none for the others', async () => {
  const bare = chainOf([{ name: 'one', head: 20n }]).reader
  expect([bare.readToken, bare.accountGain, bare.recipientStatus, bare.providerViews]).toEqual(Array(4).fill(undefined))
  const facts = { symbol: 'T', name: 'Token', decimals: 2 }
  const { reader } = chainOf(
    [
      { name: 'one', head: 20n },
      { name: 'two', head: 20n },
    ],
    {
      questions: {
        balances: async () => ({ amounts: [], height: 1n }),
        gainOf: ([, height]) => height,
        recipient: async (_, { address }) => ({ canReceive: false, why: address }),
        token: async ({ client }) => {
          if (client.name === 'two') return facts
          throw new ServiceError('RPC_HTTP_ERROR', 'Away.')
        },
        verify: async ({ client }) => [{ check: 'account', subject: client.name, state: 'ok', message: 'is there' }],
      },
    },
  )
  expect(await reader.readToken?.('t')).toEqual(facts)
  expect(await reader.accountGain?.({ id: 'd' }, { address: 'a', currency: 'c' })).toBe(12n)
  expect(await reader.accountGain?.({ id: 'unknown' }, { address: 'a', currency: 'c' })).toBeNull()
  expect(await reader.recipientStatus?.({ address: 'bob' }, 'coin')).toEqual({ canReceive: false, why: 'bob' })
  const { providers = [], providerCount } = reader.providerViews?.() ?? {}
  expect([providerCount, providers.map(({ provider }) => provider)]).toEqual([2, ['one', 'two']])
  expect(await providers[1]?.readTokens?.(['t', 'u'])).toEqual([facts, facts])
  expect((await providers[1]?.verifyContracts({ allocator: null }))?.map(({ subject }) => subject)).toEqual(['two'])
})

test('F121: payments that expire by time wait for times, by the block that is followed', async () => {
  const node = { name: 'one', head: 20n }
  const { reader, lane, account } = chainOf([node], {
    payments: {
      chain: new FakeAccount(true) as unknown as SequenceChain<Node>,
      ...{ order: { kind: 'strict' }, lifetime: LIFETIME, longestLifetime: 30n },
      moment: async ({ client }) => ({ height: client.head, time: { newest: 1_021n, final: 1_019n } }),
      pointOf: ({ time }) => BigInt(time),
    },
  })
  await reader.start(new AbortController().signal)
  expect(await lane.validity?.until()).toBe(1_051n)
  expect([await lane.validity?.isOver(1_018n), await lane.validity?.isOver(1_019n)]).toEqual([true, false])
  await reader.tip()
  expect(await lane.mayBeDead?.([`sequence:${ACCOUNT}:5:1019`])).toBe(true)
  expect(await lane.mayBeDead?.([`sequence:${ACCOUNT}:5:1021`])).toBe(false)
  expect(lane.addressOf(SIGNER)).toBe(account.addressOf())
  expect((await lane.prepare([{ payout: payoutTo('a'), gas: null }], { sequence: '5' })).prepared).toHaveLength(1)
})
