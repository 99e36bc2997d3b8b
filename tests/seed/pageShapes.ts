import type { RecordCondition, RecordField, RecordQuery } from '@causeway/core/plugin'
import { plainQuery } from '@causeway/core/testing'
import { SEEDED_CHAINS } from './seededChains.js'
import { largestWallet, SEEDED_KEYS, SEEDED_UNTIL, type SeedPlan, seededRequest } from './seededRequest.js'

const PAGE = 20
const DAY_S = 86_400

const is = (field: RecordField, ...values: string[]): RecordCondition => ({ field, not: false, values })

export const pageOf = (conditions: readonly RecordCondition[], more: Partial<RecordQuery> = {}): RecordQuery =>
  plainQuery(conditions, { limit: PAGE, ...more })

const [BUSIEST, SECOND] = SEEDED_CHAINS.map(({ id }) => String(id))

/** Pages that an interface asks for all day, each along one index. */
export const commonPages = ({ seed }: SeedPlan): Readonly<Record<string, RecordQuery>> => {
  const until = Math.floor(SEEDED_UNTIL / 1_000)
  const pair = [is('originChainId', BUSIEST ?? ''), is('destinationChainId', SECOND ?? '')]
  return {
    unfiltered: pageOf([]),
    user: pageOf([is('user', largestWallet(seed))]),
    'status success': pageOf([is('status', 'success')]),
    'status failure': pageOf([is('status', 'failure')]),
    'time range': pageOf([], { ranges: { time: { from: until - 60 * DAY_S, to: until - 30 * DAY_S } } }),
    'term, a wallet': pageOf([is('term', largestWallet(seed))]),
    'chain pair': pageOf(pair),
    'api key': pageOf([is('apiKey', SEEDED_KEYS[0])]),
    'of an integrator': pageOf([], { integratorId: `integrator-of-${SEEDED_KEYS[0]}` }),
    'of an integrator, by status': pageOf([is('status', 'failure')], {
      integratorId: `integrator-of-${SEEDED_KEYS[0]}`,
    }),
    'user and status': pageOf([is('user', largestWallet(seed)), is('status', 'success')]),
  }
}

/** The first request that succeeded. */
export const firstPaid = (plan: SeedPlan) => {
  const paid = Array.from({ length: 50 }, (_, n) => seededRequest(plan, n)).find(({ status }) => status === 'success')
  if (paid === undefined) throw new Error('None of the first requests succeeded')
  return paid
}

/** What names one request. */
export const lookups = (plan: SeedPlan): Readonly<Record<string, RecordQuery>> => {
  const paid = firstPaid(plan)
  const hash = paid.txs[0]?.txId ?? ''
  return {
    'term, a hash': pageOf([is('term', hash)]),
    hash: pageOf([is('hash', hash)]),
    id: pageOf([is('id', paid.id)]),
    'order id': pageOf([is('orderId', paid.orderId ?? '')]),
  }
}

/** Searches without an index of their own: bounded by the window they look at, and by time. */
export const boundedPages = ({ seed }: SeedPlan): Readonly<Record<string, RecordQuery>> => ({
  'four filters': pageOf([
    is('status', 'success'),
    is('originChainId', BUSIEST ?? ''),
    is('currencyOutSymbol', 'usdc'),
    is('referrer', 'swap.example'),
  ]),
  'sort by amountUsd with a symbol': pageOf([is('currencyInSymbol', 'sol')], { sort: 'amountUsd' }),
  'sort by updatedAt with a user': pageOf([is('user', largestWallet(seed))], { sort: 'updatedAt' }),
  'filters with an or': pageOf([], {
    groups: [
      [is('status', 'failure'), is('apiKey', SEEDED_KEYS[1])],
      [{ field: 'status', not: true, values: ['success'] }, is('originChainId', SECOND ?? '')],
    ],
  }),
  'matches nothing': pageOf([
    is('status', 'success'),
    is('failReason', 'ORPHANED_DEPOSIT_REFUND'),
    is('chainId', BUSIEST ?? ''),
  ]),
})
