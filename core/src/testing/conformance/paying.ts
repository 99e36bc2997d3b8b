import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { ChainAdapter } from '../../chain/chainAdapter.js'
import type { Destination } from '../../chain/chainReferences.js'
import type { Json } from '../../chain/json.js'
import type { AttemptState, BroadcastResult, Payout, PreparedAttempt, SignedAttempt } from '../../chain/laneAdapter.js'
import type { Signer } from '../../chain/signer.js'
import { ServiceError } from '../../errors/serviceError.js'
import { createEd25519Signer } from '../../keys/ed25519Signer.js'
import { createSecp256k1Signer } from '../../keys/secp256k1Signer.js'
import type { ConformanceHarness } from './conformanceHarness.js'
import { newOrderId, stored } from './depositing.js'
import { check, checkOwnId, eventually, nativeOf, there } from './rule.js'

export const makePayout = async (harness: ConformanceHarness, changes: Partial<Payout> = {}): Promise<Payout> => ({
  purpose: 'fill',
  orderId: newOrderId(),
  from: harness.adapter.lane.addressOf(harness.signer),
  to: changes.to ?? (await freshDestination(harness, changes.money?.currency)),
  money: { currency: nativeOf(harness), amount: harness.amount },
  calls: [],
  ...changes,
})

/** Somebody new, within an account where the chain has such owners: what a payment drops of it does not come back from the chain. */
const freshDestination = async (
  { adapter, freshAddress }: ConformanceHarness,
  currency?: string,
): Promise<Destination> => {
  const { destinationTag, destinationMemoBytes = 0 } = adapter.capabilities
  return {
    address: await freshAddress(currency),
    ...(destinationTag ? { tag: 4_000_000_007 } : {}),
    ...(destinationMemoBytes === 0 ? {} : { memo: 'owner 7'.slice(0, destinationMemoBytes) }),
  }
}

/** Another key of the same scheme. */
export const strangerOf = ({ scheme }: Signer): Signer => {
  const key = randomBytes(32).toString('hex')
  return scheme === 'ed25519' ? createEd25519Signer(key) : createSecp256k1Signer(`0x${key}`)
}

export const checkJson = (what: string, value: Json): void => {
  const text = JSON.stringify(value)
  check(isDeepStrictEqual(JSON.parse(text ?? 'null'), value), `${what} is not plain JSON: it changes when it is stored`)
}

/** An attempt as it comes back from the database. */
export const storedAttempt = <Attempt extends PreparedAttempt>(attempt: Attempt): Attempt => {
  checkJson('the prepared transaction', attempt.transaction)
  const { feeCap, ...rest } = attempt
  check(typeof feeCap === 'bigint' && feeCap >= 0n, `feeCap is ${feeCap}`)
  // CAST: the same object, read back from its own JSON.
  return { ...(JSON.parse(JSON.stringify(rest)) as Omit<Attempt, 'feeCap'>), feeCap } as Attempt
}

/** Prepares payouts at the lane's present position. */
export const prepareAll = async (
  harness: ConformanceHarness,
  payouts: readonly Payout[],
): Promise<{ readonly prepared: readonly PreparedAttempt[]; readonly position: Json }> => {
  const { adapter, signer } = harness
  const { position } = await adapter.lane.read(adapter.lane.addressOf(signer), null)
  checkJson('the position', position)
  return prepareAt(harness, payouts, position)
}

/** Prepares payouts at a position, which comes back from the database as it was stored. */
export const prepareAt = async (
  { adapter }: ConformanceHarness,
  payouts: readonly Payout[],
  position: Json,
): Promise<{ readonly prepared: readonly PreparedAttempt[]; readonly position: Json }> => {
  const simulations = await Promise.all(payouts.map((payout) => adapter.simulate(payout)))
  const items = payouts.map((payout, at) => {
    const simulation = simulations[at]
    return { payout, gas: simulation?.ok ? simulation.gas : null }
  })
  const { prepared, position: next } = await adapter.lane.prepare(items, stored(position))
  checkJson('the position', next)
  check(prepared.length === payouts.length, `prepared ${prepared.length} of ${payouts.length}`)
  return { prepared: prepared.map((attempt) => guarded(attempt)), position: next }
}

/** @throws ServiceError when the lane has the payment wait, as it may when nothing is left to pay it from */
const guarded = (attempt: PreparedAttempt | null): PreparedAttempt => {
  if (attempt === null) throw new ServiceError('INSUFFICIENT_FUNDS', 'The lane has the payment wait.')
  check(attempt.guards.length > 0, 'a prepared payment has no guard')
  return storedAttempt(attempt)
}

/** Prepares and signs, and hands out what the database would give back. */
export const signAll = async (
  harness: ConformanceHarness,
  payouts: readonly Payout[],
): Promise<{ readonly attempts: readonly SignedAttempt[]; readonly position: Json }> => {
  return signEach(harness, await prepareAll(harness, payouts))
}

/** As `signAll`, from a position that was stored. */
export const signAt = async (
  harness: ConformanceHarness,
  payouts: readonly Payout[],
  position: Json,
): Promise<{ readonly attempts: readonly SignedAttempt[]; readonly position: Json }> =>
  signEach(harness, await prepareAt(harness, payouts, position))

const signEach = async (
  harness: ConformanceHarness,
  { prepared, position }: { readonly prepared: readonly PreparedAttempt[]; readonly position: Json },
) => {
  const attempts: SignedAttempt[] = []
  for (const item of prepared) attempts.push(await signOne(harness, item))
  return { attempts, position }
}

export const signOne = async (
  { adapter, signer, allocator, seed }: ConformanceHarness,
  item: PreparedAttempt,
): Promise<SignedAttempt> => {
  const second = allocator !== null && adapter.lane.cosigns === true ? allocator : undefined
  const signed = await adapter.lane.sign(item, signer, second, seed)
  check(signed.txId !== '' && /^0x([0-9a-f]{2})+$/.test(signed.raw), 'signing gives no id or no bytes')
  const { kind, guards, feeCap } = signed
  const kept = kind === item.kind && feeCap === item.feeCap && isDeepStrictEqual(guards, item.guards)
  check(kept, 'signing changes guards, kind or cap of what was prepared: what is stored would not be what was agreed')
  return storedAttempt(signed)
}

/** One payout, prepared, signed, stored. */
export const signPayout = async (harness: ConformanceHarness, payout: Payout): Promise<SignedAttempt> => {
  const attempt = there((await signAll(harness, [payout])).attempts[0], 'nothing was signed')
  checkOwnId(harness, attempt.txId)
  return attempt
}

export const broadcast = async (adapter: ChainAdapter, attempt: SignedAttempt): Promise<BroadcastResult> => {
  const results = await adapter.lane.broadcast([attempt])
  return there(results[0], 'broadcast gives no result')
}

export const stateOf = async (
  { adapter }: ConformanceHarness,
  { txId }: SignedAttempt,
  payout: Payout,
): Promise<AttemptState> => there((await adapter.lane.states([{ txId, payout }]))[0], 'states gives no state')

/** Waits until the chain holds it, adding blocks. */
export const included = (harness: ConformanceHarness, attempt: SignedAttempt, payout: Payout): Promise<AttemptState> =>
  eventually(
    `the inclusion of ${attempt.txId}`,
    async () => {
      await harness.advance(1)
      const state = await stateOf(harness, attempt, payout)
      return state.status === 'success' || state.status === 'reverted' ? state : null
    },
    harness.patienceSeconds,
  )

export const succeeded = async (
  harness: ConformanceHarness,
  attempt: SignedAttempt,
  payout: Payout,
): Promise<AttemptState> => {
  const state = await included(harness, attempt, payout)
  check(state.status === 'success', `the payment ends as ${state.status}: ${state.revert ?? 'no reason given'}`)
  return state
}

export const balanceOf = async (
  { adapter }: ConformanceHarness,
  address: string,
  currency: string,
): Promise<bigint> => {
  const { amounts } = await adapter.getBalances([{ address, currency }])
  return there(amounts[0], 'getBalances gives no amount')
}

/** What the recipient of a payout holds must be just this. */
export const checkArrived = async (harness: ConformanceHarness, payout: Payout, amount: bigint): Promise<void> => {
  const { to, money } = payout
  const held = await balanceOf(harness, to.address, money.currency)
  check(
    held === amount,
    `the recipient ${to.address} holds ${held} ${money.currency} instead of ${amount}, at block ${await harness.height()}`,
  )
}

/** Adds blocks until the verdict is there. */
export const verdict = (
  harness: ConformanceHarness,
  attempt: SignedAttempt,
  wanted: 'dead' | 'landed',
): Promise<true> =>
  eventually(
    `payoutVerdict saying "${wanted}"`,
    async () => {
      await harness.advance(2)
      const said = await harness.adapter.lane.payoutVerdict(attempt.guards, [attempt.txId])
      check(
        said === 'alive' || said === wanted,
        `payoutVerdict says "${said}" instead of "${wanted}" of ${attempt.txId}, at block ${await harness.height()}`,
      )
      return said === wanted ? true : null
    },
    harness.patienceSeconds,
  )

/** After a few blocks more, the payment must not have succeeded and the recipient hold nothing. */
export const checkNeverPaid = async (
  harness: ConformanceHarness,
  attempt: SignedAttempt,
  payout: Payout,
  before = 0n,
): Promise<void> => {
  for (let blocks = 0; blocks < 3; blocks += 1) {
    await harness.advance(1)
    const { status, block } = await stateOf(harness, attempt, payout)
    const { currency, amount } = payout.money
    check(
      status !== 'success',
      `the payment ${attempt.txId} of ${amount} ${currency} to ${payout.to.address}, which must never be made, succeeded in ` +
        `block ${block?.height} (the newest is ${await harness.height()}): look at what let the node take its bytes`,
    )
  }
  await checkArrived(harness, payout, before)
}
