import { type ClosedLane, closedLaneText } from '../now/closedLane.js'
import { due } from '../text/timeText.js'
import type { DepositRow, PayoutRow, RequestRow } from './explanationRows.js'

/** How late a next action may be before it is a problem: as core's own report. */
const GRACE_MS = 60_000

export interface ProblemContext {
  readonly now: number
  /** Parked amount of each deposit, by the ledger. */
  readonly parked: ReadonlyMap<string, bigint>
  chainName(chainId: number): string
  /** The lane that pays on the chain, where it is closed. */
  closedLane(chainId: number): ClosedLane | null
}

/** What stands in the way, in plain words; empty when everything moves. */
export const findProblems = (
  rows: {
    readonly request: RequestRow | null
    readonly deposits: readonly DepositRow[]
    readonly payouts: readonly PayoutRow[]
  },
  context: ProblemContext,
): string[] => [
  ...(rows.request === null ? [] : ofRequest(rows.request, context)),
  ...rows.deposits.flatMap((deposit) => ofDeposit(deposit, context.parked.get(deposit.id) ?? 0n)),
  ...rows.payouts.flatMap((payout) => ofPayout(payout, context)),
]

const late = (of: string, action: string | null, at: number | null, now: number): string[] =>
  action === null || at === null || now - at < GRACE_MS ? [] : [`${of}: "${action}" is ${due(at, now)}`]

const ofRequest = (row: RequestRow, { now, closedLane }: ProblemContext): string[] => {
  const left = row.status === 'failure' && row.fail_reason === 'DEPOSIT_REORGED'
  const failed = left
    ? [
        'what was signed for it is dead and its deposit is gone: nothing is owed; should it come back, it is decided anew',
      ]
    : row.status === 'failure'
      ? [
          `the request failed (${row.refund_fail_reason ?? row.fail_reason ?? 'no reason'}): refund it with causeway refund ${row.id}`,
        ]
      : []
  const kept = row.committed ? BigInt(row.amount_out) : 0n
  const lane = row.next_action === 'decide' ? closedLane(Number(row.destination_chain_id)) : null
  const short = row.spendable === null || BigInt(row.spendable) + kept < BigInt(row.amount_out)
  const failing = row.trouble === null ? [] : [`deciding failed ${row.attempts} times: ${row.trouble}`]
  const waiting =
    row.next_action === 'decide' && row.attempts > 0 && row.trouble === null && short
      ? [
          `waiting for funds: ${row.spendable ?? 'unknown'} units are free on chain ${row.destination_chain_id}, ${row.amount_out} are needed`,
        ]
      : []
  const shut = lane === null ? [] : [`the request waits to be decided: ${closedLaneText(lane)}`]
  return [
    ...failed,
    ...failing,
    ...shut,
    ...waiting,
    ...held(row),
    ...late('request', row.next_action, row.next_action_at, now),
  ]
}

const held = ({ next_action }: RequestRow): string[] => {
  if (next_action === 'await-release') {
    return ['the chain of its deposit is halted, blocks that were final were replaced: look with causeway halts']
  }
  return next_action === 'await-settle'
    ? ['much was paid for deposits of its chain that are not settled: it waits until some are']
    : []
}

const ofDeposit = (row: DepositRow, parked: bigint): string[] => [
  ...(row.state === 'reorged' || row.state === 'failed'
    ? [`deposit ${row.id} is not on the chain (${row.state})`]
    : []),
  ...(parked > 0n ? [`${parked} units of deposit ${row.id} are parked: causeway parked show ${row.id}`] : []),
]

const ofPayout = (row: PayoutRow, { now, chainName }: ProblemContext): string[] => [
  ...(row.state === 'abandoned' ? [`payout ${row.id} was given up: ${row.details ?? 'no details'}`] : []),
  ...(row.shut !== null && row.next_action !== null
    ? [
        `payout ${row.id} waits: ${closedLaneText({ chain: chainName(Number(row.chain_id)), signer: row.signer, ...row.shut })}`,
      ]
    : []),
  ...(row.held_by !== null && row.deposit_id !== null
    ? [
        `payout ${row.id} waits: ${row.held_by}, of a time that this database forgot, may be it. Then: causeway parked close ${row.deposit_id} --paid-by ${row.held_by}; causeway lanes inspect ${row.chain_id} tells more`,
      ]
    : []),
  ...(row.next_action === 'await-limit'
    ? [`payout ${row.id} waits: lane ${row.chain_id} ${row.signer} has spent all it may in this hour`]
    : []),
  ...(row.trouble === null ? [] : [`payout ${row.id} was put off ${row.retries} times: ${row.trouble}`]),
  ...(row.state === 'ready' && row.next_action !== 'await-limit' && row.retries > 0 && row.trouble === null
    ? [`payout ${row.id} was put off ${row.retries} times: it cannot be paid yet, perhaps for want of funds`]
    : []),
  ...late(`payout ${row.id}`, row.next_action, row.next_action_at, now),
]
