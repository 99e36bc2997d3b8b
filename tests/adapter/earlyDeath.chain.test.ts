import type { SignedAttempt } from '@causeway/core/chain'
import { type Alteration, laneWith } from '@causeway/core/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { depositNative } from '../harness/depositing.js'
import { ether, NATIVE, userOf } from '../harness/localNetwork.js'
import { quoteTransfer, waitForStatus } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import type { LedgerTransfer } from './ledgerChain/src/transaction.js'
import {
  COIN,
  freshAddress,
  LEDGER_ID,
  type LedgerDeployment,
  SETTLE,
  startLedgerDeployment,
} from './ledgerDeployment.js'

/** How many blocks too early the broken ledger says that a payment has expired. */
const EARLY = 8

let deployment: LedgerDeployment
/** Bytes that a node took and keeps to itself. */
const kept: SignedAttempt[] = []
let keeping = true
let early = EARLY
/** What the host says is wrong. */
const errors: string[] = []

/** A ledger that calls payments dead before their time is over, whatever became of them, over a node that may hold them back. */
const broken: Alteration = laneWith((real) => ({
  // A lane that knows better would not let the host ask so early.
  mayBeDead: async () => true,
  payoutVerdict: (guards, _txIds, options) =>
    real.payoutVerdict(
      guards.map((guard) => guard.replace(/\d+$/, (height) => String(Number(height) - early))),
      [],
      options,
    ),
  broadcast: async (attempts) => {
    if (!keeping) return real.broadcast(attempts)
    kept.push(...attempts)
    return attempts.map(() => ({ outcome: 'known' as const }))
  },
}))

beforeAll(async () => {
  deployment = await startLedgerDeployment({
    alter: broken,
    log: pino({ level: 'error' }, { write: (line: string) => void errors.push(line) }),
  })
})
afterAll(() => deployment?.close())

interface Paying {
  readonly recipient: string
  readonly requestId: `0x${string}`
  readonly amount: bigint
  /** What was signed and did not come. */
  readonly first: SignedAttempt
  /** Last height at which the ledger takes it. */
  readonly last: number
}

/** A deposit on the other chain, up to the bytes that pay it, which the node keeps. */
const transfer = async (user: number): Promise<Paying> => {
  kept.length = 0
  keeping = true
  early = EARLY
  const recipient = freshAddress()
  const { network } = deployment
  const [origin] = network.chains
  const quote = await quoteTransfer(deployment.engine, {
    user: userOf(network, user),
    from: origin.chain.chainId,
    to: LEDGER_ID,
    originCurrency: NATIVE,
    destinationCurrency: COIN,
    amount: ether('0.01'),
    recipient,
  })
  await depositNative(origin, userOf(network, user), quote.protocol.v2.orderId, ether('0.01'))
  const first = await until('the payment to be sent', async () => kept[0] ?? null)
  // CAST: what the lane of a ledger prepares.
  const { validUntil } = first.transaction as unknown as LedgerTransfer
  const { requestId, details } = quote
  return { recipient, requestId, amount: BigInt(details.currencyOut.amount), first, last: validUntil }
}

const payoutOf = async ({ recipient }: Paying) => {
  const { rows } = await deployment.pool.query<{ state: string; generation: number; next_action: string | null }>(
    'select state, generation, next_action from payouts where recipient = $1',
    [recipient],
  )
  return rows[0] ?? null
}

/** Until the host has heard that the payment is dead, and has done with that what it does. */
const heard = (paying: Paying) =>
  until('the word that the payment is dead', async () => {
    const payout = await payoutOf(paying)
    return payout?.next_action === 'prove-dead' || (payout?.generation ?? 0) > 1 ? payout : null
  })

/** Up to the first block at which the ledger calls the payment dead; four more may hold it. */
const comeToDeath = async (paying: Paying): Promise<void> => {
  deployment.ledger.engine.advance(paying.last - EARLY + SETTLE + 1 - deployment.ledger.engine.head.height)
  await heard(paying)
}

/** Adds blocks until its payout is final. */
const finished = (paying: Paying) =>
  until('the payout to be final', async () => {
    deployment.ledger.engine.advance(1)
    const payout = await payoutOf(paying)
    return payout?.state === 'final' ? payout : null
  })

/** Payments to the recipient that the ledger holds. */
const paymentsTo = ({ recipient }: Paying) =>
  deployment.ledger.engine.blocks
    .history(recipient)
    .filter(({ tx }) => tx.status === 'success')
    .map(({ tx: { transfer } }) => BigInt(transfer.amount))

describe('a payment that its chain calls dead too early (F122)', () => {
  it('and that lands afterwards, is paid once', async () => {
    const paying = await transfer(0)
    await comeToDeath(paying)
    // Other nodes had it all the time.
    deployment.ledger.engine.submit(paying.first.raw)
    keeping = false
    await waitForStatus(deployment.requests, paying.requestId, ['success'])
    await finished(paying)
    expect(paymentsTo(paying)).toEqual([paying.amount])
    expect(await payoutOf(paying)).toMatchObject({ generation: 1 })
  })

  it('and that a node shows when it is judged once more, is paid once', async () => {
    const paying = await transfer(2)
    await comeToDeath(paying)
    deployment.ledger.engine.hold()
    deployment.ledger.engine.submit(paying.first.raw)
    keeping = false
    // All that the host lets pass; the next block is the last one that may hold the payment.
    deployment.ledger.engine.advance(SETTLE)
    await until('the second reading', async () => {
      const told = errors.some((line) => line.includes('is on the chain all the same'))
      return told || (await payoutOf(paying))?.generation === 2 ? true : null
    })
    deployment.ledger.engine.release(false)
    await finished(paying)
    expect(paymentsTo(paying)).toEqual([paying.amount])
  })

  it('and that never lands, is paid by other bytes, some blocks later, once', async () => {
    const paying = await transfer(1)
    await comeToDeath(paying)
    expect(await payoutOf(paying)).toMatchObject({ generation: 1, next_action: 'prove-dead' })
    keeping = false
    await finished(paying)
    expect(paymentsTo(paying)).toEqual([paying.amount])
    expect(await payoutOf(paying)).toMatchObject({ generation: 2 })
  })
})

describe('a payment that a node calls expired', () => {
  const said = async ({ recipient }: Paying) => {
    const { rows } = await deployment.pool.query<{ state: string; message: string | null }>(
      `select a.state, a.message from payout_attempts a join payouts p on p.id = a.payout_id and a.generation = 1 where p.recipient = $1`,
      [recipient],
    )
    return rows[0] ?? null
  }

  it('is not paid by other bytes for that word, but once its death is proven, and then once', async () => {
    const paying = await transfer(0)
    early = 0
    keeping = false
    // No block may hold it now, and the last one that might have is not final.
    const { engine } = deployment.ledger
    engine.advance(paying.last + 1 - engine.head.height)
    const answer = await until('the word of the node', async () => {
      const found = await said(paying)
      return found?.message == null ? null : found
    })
    expect(answer).toEqual({ state: 'broadcast', message: 'The ledger takes the payment no more.' })
    expect(await payoutOf(paying)).toMatchObject({ state: 'signed', generation: 1 })
    await finished(paying)
    expect(paymentsTo(paying)).toEqual([paying.amount])
    expect(await payoutOf(paying)).toMatchObject({ generation: 2 })
  })
})
