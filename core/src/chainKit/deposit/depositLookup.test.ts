import { expect, test } from 'vitest'
import type { DepositEvent } from '../../chain/chainAdapter.js'
import type { BlockRef } from '../../chain/chainReferences.js'
import type { Disagreement } from '../../chain/endpoint/endpointHealth.js'
import { ServiceError } from '../../errors/serviceError.js'
import type { Lateness } from '../endpoints/monitor/headRace.js'
import { type ChainReading, type TransactionReading, UNSEEN } from './chainReading.js'
import { DepositLookup, type DepositLookupDeps } from './depositLookup.js'

const ORDER = `0x${'5a'.repeat(32)}` as const
const MONEY = { currency: 'coin', amount: 100n }
const OLD: BlockRef = { height: 10n, hash: '0xold', time: 1 }
const NEW: BlockRef = { height: 10n, hash: '0xnew', time: 2 }

const depositIn = (block: BlockRef): DepositEvent => ({
  state: 'included',
  tx: { id: 'tx' },
  position: 0,
  index: 0,
  orderId: ORDER,
  depositor: 'user',
  depository: 'vault',
  money: MONEY,
  block,
  txData: { from: 'user', to: 'vault', data: '', value: '100' },
  fee: 1n,
})

const shown = (block: BlockRef): TransactionReading => ({ status: 'success', block, deposits: [depositIn(block)] })
const WAITING: TransactionReading = { status: 'pending', block: null, deposits: [] }
const FAILED: TransactionReading = { status: 'failure', block: OLD, deposits: [] }

/** What a node says; null: it does not answer. */
interface Node extends Partial<Omit<ChainReading, 'transactions'>> {
  readonly name: string
  readonly provider: string
  readonly lateness: Lateness
  readonly shows: TransactionReading | null
  /** The block at the height of the deposit. */
  readonly block?: BlockRef
}

const node = (name: string, shows: TransactionReading | null, changes: Partial<Node> = {}): Node => ({
  name,
  provider: name,
  lateness: 'none',
  shows,
  ...(shows?.block ? { block: shows.block } : {}),
  ...changes,
})

const lookupOf = (nodes: readonly Node[], changes: Partial<DepositLookupDeps<Node>> = {}) => {
  const told: Disagreement[] = []
  const caught: string[] = []
  const voters = nodes.filter(({ lateness }) => lateness !== 'stands')
  const lookup = new DepositLookup<Node>({
    pool: {
      providers: [...new Map(voters.map((item) => [item.provider, item])).values()],
      providerCount: new Set(nodes.map(({ provider }) => provider)).size,
      ordered: () => nodes,
    },
    monitor: { report: (told_) => told.push(told_), distrust: ({ name }) => caught.push(name) },
    settle: 32,
    read: async (_, asked = nodes[0]) => {
      if (asked === undefined || asked.shows === null) throw new ServiceError('RPC_HTTP_ERROR', 'It is away.')
      const { tip = 12n, complete = 12n, final } = asked
      return { tip, complete, ...(final === undefined ? {} : { final }), transactions: new Map([['tx', asked.shows]]) }
    },
    ...changes,
  })
  return { lookup, told, caught }
}

/** For chains whose nodes may be on different branches. */
const hold: DepositLookupDeps<Node>['hold'] = async (blocks, { block, lateness }) =>
  blocks.map(({ hash }) => (block === undefined ? lateness !== 'none' : block.hash === hash))

const PLACE = { tx: { id: 'tx' }, position: 0 }
const AWAY = { code: 'SERVICE_UNAVAILABLE' }

const findingOf = async (nodes: readonly Node[], changes: Partial<DepositLookupDeps<Node>> = {}, position = 0) => {
  const [evidence] = await lookupOf(nodes, changes).lookup.recheckDeposits([{ ...PLACE, position }])
  return [evidence?.finding, evidence?.reason]
}

test("one node's silence is not believed while another one shows the deposit in a block", async () => {
  expect(await findingOf([node('one', UNSEEN), node('two', shown(OLD))])).toEqual([
    'present',
    'The transaction is in a block',
  ])
  expect((await findingOf([node('one', WAITING), node('two', shown(OLD))]))[0]).toBe('present')
  expect(await findingOf([node('one', WAITING), node('two', UNSEEN)])).toEqual([
    'missing',
    'No block holds the transaction',
  ])
})

test('a deposit is missing only by the readings of two providers, where two are configured', async () => {
  await expect(findingOf([node('one', UNSEEN), node('two', null)])).rejects.toMatchObject(AWAY)
  const same = node('other node of one', UNSEEN, { provider: 'one' })
  await expect(findingOf([node('one', UNSEEN), same, node('two', null)])).rejects.toMatchObject(AWAY)
  expect((await findingOf([node('one', UNSEEN)]))[0]).toBe('missing')
  expect((await findingOf([node('one', UNSEEN), node('two', UNSEEN), node('three', null)]))[0]).toBe('missing')
  await expect(findingOf([node('one', null)])).rejects.toMatchObject(AWAY)
})

test('K.2 6: a block that is not in the chain of every node that answers says nothing of where a deposit is', async () => {
  const stale = node('stale', shown(OLD))
  await expect(findingOf([stale, node('two', UNSEEN, { block: NEW })], { hold })).rejects.toMatchObject(AWAY)
  expect((await findingOf([stale, node('two', UNSEEN, { block: OLD })], { hold }))[0]).toBe('present')
})

test('a node that is known to be behind may lack the block; one that stands still is not asked', async () => {
  const seen = node('one', shown(NEW))
  await expect(findingOf([seen, node('two', UNSEEN)], { hold })).rejects.toMatchObject(AWAY)
  expect((await findingOf([seen, node('two', UNSEEN, { lateness: 'behind' })], { hold }))[0]).toBe('present')
  const stands = node('three', shown(OLD), { lateness: 'stands' })
  expect((await findingOf([seen, node('two', shown(NEW)), stands], { hold }))[0]).toBe('present')
})

test('a transaction that failed, and one that makes no such deposit, are told apart', async () => {
  expect(await findingOf([node('one', FAILED)])).toEqual(['failed', 'The transaction failed'])
  expect(await findingOf([node('one', shown(OLD))], {}, 1)).toEqual([
    'missing',
    'The transaction no longer makes this deposit',
  ])
  const [evidence] = await lookupOf([node('one', FAILED)]).lookup.recheckDeposits([PLACE])
  expect(evidence).toMatchObject({ receiptStatus: 'reverted', blockNumber: 10n, blockHash: '0xold' })
})

const claim = { tx: { id: 'tx' }, position: 0, money: MONEY, orderId: ORDER }

test('invariant 3: a deposit is confirmed by enough providers that show it deep enough by their own heads', async () => {
  const [deep, young] = [node('one', shown(OLD), { tip: 12n }), node('two', shown(OLD), { tip: 11n })]
  const { lookup } = lookupOf([deep, young])
  expect(await lookup.confirmDeposit(claim, { agreeing: 2, confirmations: 2 })).toBe(true)
  expect(await lookup.confirmDeposit(claim, { agreeing: 2, confirmations: 3 })).toBe(false)
  expect(await lookup.confirmDeposit(claim, { agreeing: 1, confirmations: 3 })).toBe(true)
  expect(await lookup.confirmDeposit({ ...claim, orderId: null }, { agreeing: 1 })).toBe(false)
  expect(await lookup.confirmDeposit({ ...claim, position: 1 }, { agreeing: 1 })).toBe(false)
  const alone = lookupOf([deep, node('two', null)]).lookup
  await expect(alone.confirmDeposit(claim, { agreeing: 2 })).rejects.toMatchObject(AWAY)
})

test('from settle on a deposit is confirmed in a final block alone, where the chain knows which are', async () => {
  const confirms = (final: bigint, confirmations: number) =>
    lookupOf([node('one', shown(OLD), { tip: 100n, final })]).lookup.confirmDeposit(claim, {
      agreeing: 1,
      confirmations,
    })
  expect([await confirms(9n, 31), await confirms(9n, 32), await confirms(10n, 32)]).toEqual([true, false, true])
})

test('a deposit of new coins waits for the confirmations that these need, whatever is asked for', async () => {
  const young = { ...shown(OLD), leastConfirmations: 100n }
  const confirms = (tip: bigint) =>
    lookupOf([node('one', young, { tip })]).lookup.confirmDeposit(claim, { agreeing: 1 })
  expect([await confirms(108n), await confirms(109n)]).toEqual([false, true])
})

test('F05: a provider that denies what another one shows is told, and one that shows what most deny is caught', async () => {
  const liar = node('liar', shown(OLD))
  const { lookup, told, caught } = lookupOf([liar, node('two', UNSEEN), node('three', UNSEEN)])
  expect(await lookup.confirmDeposit(claim, { agreeing: 2 })).toBe(false)
  expect([told.length, caught]).toEqual([1, ['liar']])
  // What a node may not have yet, it does not deny.
  const late = lookupOf([liar, node('two', UNSEEN, { complete: 9n })])
  await late.lookup.confirmDeposit(claim, { agreeing: 2 })
  expect(late.told).toEqual([])
})

test('a transaction is found with the orders that it pays', async () => {
  const stateOf = (shows: TransactionReading, changes: Partial<DepositLookupDeps<Node>> = {}) =>
    lookupOf([node('one', shows)], changes).lookup.findTransaction({ id: 'tx' })
  expect(await stateOf(shown(OLD))).toEqual({ status: 'success', block: OLD, depositOrderIds: [ORDER] })
  expect(await stateOf(UNSEEN)).toEqual({ status: 'unknown', block: null, depositOrderIds: [] })
  expect((await stateOf(UNSEEN, { isPending: async () => true })).status).toBe('pending')
  expect((await stateOf(FAILED, { isPending: async () => true })).status).toBe('failure')
})

test('F05: a deposit is what most of those show that show it; where none is shown by more, nothing is said', async () => {
  const deposits = [{ ...depositIn(OLD), money: { ...MONEY, amount: 900n } }]
  const liar = node('liar', { ...shown(OLD), deposits })
  const amountOf = async (nodes: readonly Node[]) => {
    const [evidence] = await lookupOf(nodes).lookup.recheckDeposits([PLACE])
    return evidence?.deposit?.money.amount
  }
  expect(await amountOf([liar, node('two', shown(OLD)), node('three', shown(OLD))])).toBe(100n)
  expect(await amountOf([liar, node('two', UNSEEN)])).toBe(900n)
  await expect(amountOf([liar, node('two', shown(OLD))])).rejects.toMatchObject(AWAY)
})

test('a node that dropped the block of a deposit does not deny it, and is no answer where too few are left', async () => {
  const remembers = async (height: bigint, { name }: Node) => name !== 'pruned' && height === 10n
  const find = async (nodes: readonly Node[], height?: bigint | null) => {
    const { lookup } = lookupOf(nodes, { remembers })
    const [evidence] = await lookup.recheckDeposits([{ ...PLACE, ...(height === undefined ? {} : { height }) }])
    return evidence?.finding
  }
  const [pruned, whole] = [node('pruned', UNSEEN), node('whole', UNSEEN)]
  await expect(find([pruned], 10n)).rejects.toMatchObject(AWAY)
  await expect(find([pruned, whole], 10n)).rejects.toMatchObject(AWAY)
  expect(await find([whole, node('two', UNSEEN)], 10n)).toBe('missing')
  expect(await find([pruned, node('two', shown(OLD))], 10n)).toBe('present')
  expect(await find([pruned], null)).toBe('missing')
})
