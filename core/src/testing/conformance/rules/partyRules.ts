import type { DepositEvent } from '../../../chain/chainAdapter.js'
import { parseDestination, sameDestination } from '../../../chain/destination.js'
import type { Payout, SignedAttempt } from '../../../chain/laneAdapter.js'
import { ServiceError } from '../../../errors/serviceError.js'
import type { ConformanceHarness } from '../conformanceHarness.js'
import { deposit, depositItems, depositsOf, newOrderId, stored, tipCursor, watchPast } from '../depositing.js'
import { broadcast, makePayout, prepareAll, prepareAt, signAll, signPayout, succeeded } from '../paying.js'
import { check, forEachCurrency, nativeOf, type Rule, there } from '../rule.js'
import { withdrawal, withdraws } from './death/deathRules.js'

const TAGS = [undefined, 0, 7] as const

const hasNoTags = ({ adapter }: ConformanceHarness): string | null =>
  adapter.capabilities.destinationTag ? null : 'owners have no tags here (capabilities.destinationTag)'

const taggedText = (account: string, tag: number | undefined): string =>
  tag === undefined ? `${account} without a tag` : `${account} with the tag ${tag}`

/** Sends a fill, which names its order, and a withdrawal where the lane has withdrawals. */
const sendOwn = async (harness: ConformanceHarness, currency: string): Promise<readonly SignedAttempt[]> => {
  const { adapter, amount } = harness
  const send = async (payout: Payout, attempt: SignedAttempt): Promise<SignedAttempt> => {
    await broadcast(adapter, attempt)
    await succeeded(harness, attempt, payout)
    return attempt
  }
  const fill = await makePayout(harness, { money: { currency, amount } })
  const sent = [await send(fill, await signPayout(harness, fill))]
  if (!withdraws(harness)) return sent
  await deposit(harness, currency, newOrderId())
  const { withdraw, attempt } = await withdrawal(harness, currency)
  return [...sent, await send(withdraw, attempt)]
}

const own = async (harness: ConformanceHarness, currency: string): Promise<void> => {
  const cursor = await tipCursor(harness)
  const [fill, withdrawn] = await sendOwn(harness, currency)
  const pages = await watchPast(harness, cursor)
  for (const [what, attempt] of Object.entries({ 'a payment': fill, 'a withdrawal': withdrawn })) {
    const wrong = pages.flatMap(({ deposits }) => deposits).find(({ tx }) => tx.id === attempt?.txId)
    check(
      wrong === undefined,
      `shows ${what} of our own, ${wrong?.tx.id} in block ${wrong?.block?.height}, as a deposit of ${wrong?.money.amount}: it would be filled or refunded`,
    )
  }
}

/** Owners within one account are different depositors; 0 is one of them. */
const deposited = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter, user } = harness
  const cursor = await tipCursor(harness)
  const orders = TAGS.map((tag) => ({ tag, orderId: newOrderId() }))
  for (const { tag, orderId } of orders) {
    const items = await depositItems(harness, nativeOf(harness), orderId)
    for (const [at, item] of items.entries()) {
      if (tag === undefined || at < items.length - 1) await user.send(item.data, item)
      else await user.sendTagged?.(item.data, item, tag)
    }
  }
  const pages = await watchPast(harness, cursor)
  for (const { tag, orderId } of orders) {
    const { depositor, tx }: DepositEvent = there(
      depositsOf(pages, orderId)[0],
      `the deposit of ${taggedText(user.address, tag)} is not shown`,
    )
    const named = parseDestination(depositor)
    const same = sameDestination(adapter, named, { address: user.address, ...(tag === undefined ? {} : { tag }) })
    check(same, `names ${depositor} as the depositor of ${tx.id}, which came from ${taggedText(user.address, tag)}`)
  }
}

/** Payments to owners within one account, read back from the chain. */
const paid = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter, signer, freshAddress } = harness
  const account = adapter.lane.addressOf(signer)
  const { position } = await adapter.lane.read(account, null)
  const { height } = await adapter.tip()
  const address = await freshAddress()
  const owners = TAGS.map((tag) => ({ address, ...(tag === undefined ? {} : { tag }) }))
  const payouts: Payout[] = []
  for (const to of owners) payouts.push(await makePayout(harness, { to }))
  const { attempts } = await signAll(harness, payouts)
  for (const [at, payout] of payouts.entries()) {
    const attempt = there(attempts[at], 'a payment is missing')
    await broadcast(adapter, attempt)
    await succeeded(harness, attempt, payout)
  }
  const { unknown } = await adapter.lane.read(account, { position: stored(position), sinceHeight: height })
  for (const { orderId, to } of payouts) {
    const found = there(
      unknown.find((payment) => payment.orderId === orderId),
      `the lane does not find the payment to ${taggedText(address, to.tag)}`,
    )
    const same = sameDestination(adapter, parseDestination(found.to), to)
    check(same, `${found.tx.id} pays ${found.to}; it was to pay ${taggedText(address, to.tag)}`)
  }
}

/** Prepared with a limit of the fee as it is, and with next to none. */
const limited = async (harness: ConformanceHarness, currency: string): Promise<void> => {
  const payout = await makePayout(harness, { money: { currency, amount: harness.amount } })
  const { prepared, position } = await prepareAll(harness, [payout])
  const { feeCap } = there(prepared[0], 'nothing was prepared')
  const prepare = async (feeLimit: bigint) => {
    const limitedPayout = { ...payout, orderId: newOrderId(), feeLimit }
    const result = await prepareAt(harness, [limitedPayout], position).catch((error: unknown) => {
      if (ServiceError.is(error)) return null
      throw error
    })
    return result?.prepared[0] ?? null
  }
  check(
    (await prepare(feeCap)) !== null,
    `prepares no payment whose feeLimit is ${feeCap}, the feeCap of the same payment`,
  )
  const above = await prepare(1n)
  check(
    above === null || above.feeCap <= 1n,
    `prepares a payment that may cost ${above?.feeCap}, though its feeLimit is 1 (Payout.feeLimit)`,
  )
}

/** Parties of deposits and payments, and the limit of their fees. */
export const partyRules: readonly Rule[] = [
  {
    id: 'deposit-own',
    says: 'payments and withdrawals by our own keys are no deposits, whatever order they name (invariant 3)',
    run: (harness) => forEachCurrency(harness, (currency) => own(harness, currency)),
  },
  {
    id: 'deposit-tagged',
    says: 'a depositor has the tag that the deposit came from: 0 is a tag, and none is another depositor (F24)',
    exemption: hasNoTags,
    needs: { ability: 'user.sendTagged', isThere: ({ user }) => user.sendTagged !== undefined },
    run: deposited,
  },
  {
    id: 'payout-tagged',
    says: 'a payment to a tag carries it, 0 too, and one without a tag carries none (F24)',
    exemption: hasNoTags,
    run: paid,
  },
  {
    id: 'payout-limited',
    says: 'no payment is prepared that costs more than its feeLimit (F124)',
    run: (harness) => forEachCurrency(harness, (currency) => limited(harness, currency)),
  },
]
