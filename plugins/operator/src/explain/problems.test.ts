import { expect, it } from 'vitest'
import type { ClosedLane } from '../now/closedLane.js'
import type { PayoutRow, RequestRow } from './explanationRows.js'
import { findProblems } from './problems.js'

const NOW = Date.UTC(2026, 10, 21)

const request = (more: Partial<RequestRow>): RequestRow => ({
  id: '0xaa',
  terms: '{}',
  status: 'pending',
  fail_reason: null,
  first_fail_reason: null,
  refund_fail_reason: null,
  details: null,
  parent: null,
  superseded_by: null,
  integrator_id: null,
  referrer: null,
  refund_reason: null,
  created_at: NOW,
  updated_at: NOW,
  next_action: 'decide',
  next_action_at: NOW,
  attempts: 0,
  trouble: null,
  destination_chain_id: '8453',
  destination_currency: 'usdc',
  amount_out: '100',
  committed: false,
  spendable: '1000',
  transfer_tx: null,
  address_id: null,
  ...more,
})

const payout = (more: Partial<PayoutRow>): PayoutRow => ({
  id: '7',
  request_id: '0xaa',
  deposit_id: '3',
  purpose: 'refund',
  cause: 'deposit:3',
  state: 'ready',
  chain_id: '1',
  currency: 'usdc',
  amount: '1',
  fees: '0',
  fees_chain_id: '1',
  fees_currency: 'usdc',
  recipient: '0x01',
  signer: '0x5e',
  created_at: NOW,
  included_at: null,
  included_height: null,
  inclusions: 0,
  retries: 0,
  trouble: null,
  fail_reason: null,
  details: null,
  not_run: null,
  earning: null,
  earnings: null,
  sponsorship: null,
  next_action: 'sign',
  next_action_at: NOW,
  shut: null,
  held_by: null,
  generations: [],
  attempts: [],
  ...more,
})

const LANE = { chain: 'base', signer: '0x5e', state: 'quarantined', reason: '1 transaction of this key' } as const
const QUARANTINED =
  'the payout lane base 0x5e is quarantined: 1 transaction of this key. "causeway lanes inspect base" shows what keeps it shut; "causeway lanes release base 0x5e --all" opens it once all of that is explained'

const problems = (of: RequestRow | null, payouts: readonly PayoutRow[] = [], lane: ClosedLane | null = null) =>
  findProblems(
    { request: of, deposits: [], payouts },
    {
      now: NOW,
      parked: new Map(),
      chainName: (id) => (id === 1 ? 'base' : String(id)),
      closedLane: (id) => (id === 8453 ? lane : null),
    },
  )

it('is silent while everything moves', () => {
  expect(problems(request({}), [payout({})])).toEqual([])
})

it('says that a request waits for funds, and how much is missing', () => {
  const [problem] = problems(request({ attempts: 2, spendable: '40' }))
  expect(problem).toBe('waiting for funds: 40 units are free on chain 8453, 100 are needed')
  expect(problems(request({ attempts: 2, spendable: '40', committed: true }))).toEqual([])
})

it('says which lane an undecided request waits for, why, and what opens it', () => {
  expect(problems(request({}), [], LANE)).toEqual([`the request waits to be decided: ${QUARANTINED}`])
  expect(problems(request({}), [], { ...LANE, state: 'settling' })).toEqual([
    'the request waits to be decided: the payout lane base 0x5e is settling: 1 transaction of this key. It opens by itself',
  ])
  expect(problems(request({ next_action: null, next_action_at: null, status: 'success' }), [], LANE)).toEqual([])
  expect(problems(request({ destination_chain_id: '1' }), [], LANE)).toEqual([])
})

it('says that a request waits for its chain, and that nothing is owed for a deposit that is gone', () => {
  expect(problems(request({ next_action: 'await-release' }))).toEqual([expect.stringMatching(/halted.*causeway halts/)])
  expect(problems(request({ next_action: 'await-settle' }))).toEqual([expect.stringContaining('not settled')])
  const gone = { status: 'failure', fail_reason: 'DEPOSIT_REORGED', next_action: null, next_action_at: null } as const
  expect(problems(request(gone))).toEqual([expect.stringContaining('nothing is owed')])
})

it('names the quarantined lane, the payout that was given up, the one that is put off, and what is overdue', () => {
  expect(problems(null, [payout({ held_by: '0xfe' })])).toEqual([
    'payout 7 waits: 0xfe, of a time that this database forgot, may be it. Then: causeway parked close 3 --paid-by 0xfe; causeway lanes inspect 1 tells more',
  ])
  const { state, reason } = LANE
  expect(problems(null, [payout({ shut: { state, reason } })])).toEqual([`payout 7 waits: ${QUARANTINED}`])
  const given = payout({ state: 'abandoned', details: 'account is blocked', next_action: null, next_action_at: null })
  expect(problems(null, [given])).toEqual(['payout 7 was given up: account is blocked'])
  expect(problems(null, [payout({ retries: 4 })])).toEqual([expect.stringContaining('put off 4 times')])
  const trouble = 'Chain 901 is not configured'
  expect(problems(null, [payout({ retries: 4, trouble })])).toEqual([`payout 7 was put off 4 times: ${trouble}`])
  expect(problems(request({ attempts: 3, trouble }))).toEqual([`deciding failed 3 times: ${trouble}`])
  expect(problems(null, [payout({ retries: 4, next_action: 'await-limit' })])).toEqual([
    'payout 7 waits: lane 1 0x5e has spent all it may in this hour',
  ])
  expect(problems(null, [payout({ next_action_at: NOW - 180_000 })])).toEqual(['payout 7: "sign" is overdue by 3 min'])
})
