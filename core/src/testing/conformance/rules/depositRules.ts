import type { DepositEvent } from '../../../chain/chainAdapter.js'
import type { Hex } from '../../../money/hex.js'
import type { ConformanceHarness } from '../conformanceHarness.js'
import {
  deposit,
  depositItems,
  depositSeen,
  depositsOf,
  distinct,
  keyOf,
  newOrderId,
  stored,
  tipCursor,
  watchPast,
  watchUntil,
} from '../depositing.js'
import { makePayout, signPayout } from '../paying.js'
import { check, depthOf, forEachCurrency, nativeOf, nothingLeaves, type Rule, there, withAdapter } from '../rule.js'

/** Deposits that are spread over page boundaries. */
const PAGED = 5

const seenOnce = async (harness: ConformanceHarness, currency: string): Promise<void> => {
  const { adapter, user, amount } = harness
  const { cursor, orderId, txId, found } = await depositSeen(harness, currency)
  check(found.tx.id === txId, `found in ${found.tx.id}, sent in ${txId}`)
  check(found.money.currency === currency, `credits ${found.money.currency}`)
  check(found.money.amount === amount, `credits ${found.money.amount}, sent were ${amount}`)
  checkParties(harness, found)
  check(found.depository === adapter.depository, `names ${found.depository} as the depository ${adapter.depository}`)
  const block = there(found.block, 'the deposit has no block')
  check(found.state === 'included', `the deposit is ${found.state}`)
  check(block.time > 1_000_000_000 && block.time < 10_000_000_000, `the block time ${block.time} is not Unix seconds`)
  const gain = (address: string) => adapter.accountGain?.(found.tx, { address, currency })
  const [brought, taken] = await Promise.all([gain(found.depository), gain(user.address)])
  check(brought === undefined || brought === amount, `says that ${brought} came into the depository, of ${amount}`)
  check(typeof taken !== 'bigint' || taken <= -amount, `says that ${taken} came to the user, who sent ${amount}`)
  const all = depositsOf(await watchPast(harness, cursor, { currency }), orderId)
  check(distinct(all).length === 1, `${distinct(all).length} deposits were made of one`)
}

/** Depositor, senders and source of a deposit are the user who sent it, spelled canonically and without a tag. */
const checkParties = ({ adapter, user }: ConformanceHarness, found: DepositEvent): void => {
  const { tx, depositor, senders = [found.txData.from], source } = found
  const named = [
    ['depositor', depositor],
    ...senders.map((sender) => ['sender', sender] as const),
    ...(source === null || source === undefined ? [] : [['source', source] as const]),
  ] as const
  for (const [role, text] of named) {
    const read = adapter.validateAddress(text)
    const isUser = read.ok && adapter.sameAddress(read.canonical, user.address)
    check(isUser, `names ${text} as the ${role} of the deposit ${tx.id}, which ${user.address} sent without a tag`)
    check(
      read.canonical === text,
      `names the ${role} of ${tx.id} as ${text}: its canonical spelling is ${read.canonical}`,
    )
  }
}

/** Three deposits; from the cursor of every page on, whatever that page and those before did not hold is found. */
const resumed = async (harness: ConformanceHarness): Promise<void> => {
  const cursor = await tipCursor(harness)
  const orderIds = [newOrderId(), newOrderId(), newOrderId()]
  await deposit(harness, nativeOf(harness), orderIds[0] ?? '0x')
  let sent = 1
  let sending: Promise<unknown> = Promise.resolve()
  const all = (read: Parameters<typeof depositsOf>[0]) => orderIds.every((id) => depositsOf(read, id).length > 0)
  // One after the other while the watcher reads, so that pages end between them.
  const pages = await watchUntil(harness, cursor, (read) => {
    const next = orderIds[sent]
    if (next !== undefined && depositsOf(read, orderIds[sent - 1] ?? '0x').length > 0) {
      sent += 1
      sending = deposit(harness, nativeOf(harness), next)
      sending.catch(() => undefined)
    }
    return all(read)
  }).finally(() => sending)
  const identities = new Set(pages.flatMap(({ deposits }) => deposits).map(keyOf))
  const other = await harness.createAdapter(harness.rpc)
  await other.start(new AbortController().signal)
  try {
    for (const [at, page] of [{ cursor }, ...pages].entries()) {
      const before = new Set(
        pages
          .slice(0, at)
          .flatMap(({ deposits }) => deposits)
          .map(keyOf),
      )
      const missing = [...identities].filter((key) => !before.has(key))
      if (missing.length === 0) continue
      const again = await watchUntil({ ...harness, adapter: other }, stored(page.cursor), (read) => {
        const seen = new Set(read.flatMap(({ deposits }) => deposits).map(keyOf))
        return missing.every((key) => seen.has(key))
      }).catch(() => null)
      check(again !== null, `from the cursor of page ${at} on, a deposit that it did not hold is never seen`)
    }
  } finally {
    await other.stop()
  }
}

/** From the cursor of its height on, a deposit is found again. */
const readAgain = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter } = harness
  const { orderId, found } = await depositSeen(harness, nativeOf(harness))
  const { height } = there(found.block, 'the deposit has no block')
  await harness.advance(3)
  const cursor = there(await adapter.cursorAt?.(height), 'cursorAt gives no cursor')
  const pages = await watchUntil(harness, stored(cursor), (read) => depositsOf(read, orderId).length > 0)
  check(depositsOf(pages, orderId).map(keyOf)[0] === keyOf(found), 'a deposit that is read again is another one')
}

const confirmed = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter } = harness
  const { orderId, found } = await depositSeen(harness, nativeOf(harness))
  const claim = { ...found, height: found.block?.height ?? 0n }
  check(await adapter.confirmDeposit(claim, { agreeing: 1 }), 'does not confirm a real deposit')
  const lies = {
    'a larger amount': { ...claim, money: { ...claim.money, amount: claim.money.amount + 1n } },
    'another order': { ...claim, orderId: newOrderId() },
    'a position that is not there': { ...claim, position: claim.position + 1 },
    ...(harness.currencies[1] === undefined
      ? {}
      : { 'another currency': { ...claim, money: { ...claim.money, currency: harness.currencies[1] } } }),
  }
  // The same money for the same order, in a transaction that no block holds.
  const { txId } = await signPayout(harness, await makePayout(harness))
  const unsent = { ...found.tx, id: txId }
  for (const [what, lie] of Object.entries({ ...lies, 'another transaction': { ...claim, tx: unsent } })) {
    check(!(await adapter.confirmDeposit(lie, { agreeing: 1 })), `confirms ${what}`)
  }
  const [evidence] = await adapter.recheckDeposits([{ tx: found.tx, position: found.position }])
  check(evidence?.finding === 'present', `a second reading of a real deposit says ${evidence?.finding}`)
  const again = there(evidence.deposit, 'a second reading gives no deposit')
  check(keyOf(again) === keyOf(found) && again.money.amount === found.money.amount, 'a second reading differs')
  const invented = await adapter.recheckDeposits([
    { tx: found.tx, position: found.position + 1 },
    { tx: found.tx, position: found.position },
  ])
  const [absent, present] = invented.map(({ finding }) => finding)
  check(absent !== 'present', 'a second reading finds a position that is not there')
  check(present === 'present', `a second reading of a real deposit beside an invented one says ${present}`)
  const [other] = await adapter.recheckDeposits([{ tx: unsent, position: found.position }])
  check(other?.finding === 'missing', `a second reading of ${txId}, which no block holds, says ${other?.finding}`)
  await checkIdSpelling(harness, found.tx.id)
  const transaction = await adapter.findTransaction(found.tx)
  check(transaction.status === 'success', `the transaction of a deposit is ${transaction.status}`)
  check(transaction.depositOrderIds.includes(orderId), 'the transaction of a deposit does not name its order')
}

/** A transaction has one id: where another case of its letters means the same, that is no canonical text. */
const checkIdSpelling = async ({ adapter }: ConformanceHarness, id: string): Promise<void> => {
  for (const text of [id.toLowerCase(), id.toUpperCase()]) {
    const read = adapter.checkTransactionId?.(text)
    if (read?.ok !== true || read.canonical === id) continue
    const { status } = await adapter.findTransaction({ id: read.canonical })
    check(status === 'unknown', `calls ${read.canonical} canonical, and finds by it the transaction ${id}`)
  }
}

/** Deposits in neighbouring blocks and with blocks between, read from an old cursor by the smallest pages. */
const paged = async (harness: ConformanceHarness): Promise<void> => {
  const { smallPages, rpc, advance } = harness
  const native = nativeOf(harness)
  const cursor = await tipCursor(harness)
  const sent: { readonly orderId: Hex; readonly txId: string; readonly height: number }[] = []
  for (let count = 0; count < PAGED; count += 1) {
    const orderId = newOrderId()
    const txId = await deposit(harness, native, orderId)
    sent.push({ orderId, txId, height: await harness.height() })
    if (count % 2 === 1) await advance(count)
  }
  const last = newOrderId()
  await deposit(harness, native, last)
  await withAdapter(there(smallPages?.(rpc), 'the harness has no small pages'), async (adapter) => {
    const pages = await watchUntil({ ...harness, adapter }, cursor, (read) => depositsOf(read, last).length > 0)
    for (const { orderId, txId, height } of sent) {
      const found = distinct(depositsOf(pages, orderId)).length
      check(
        found === 1,
        `by small pages shows ${found} deposits of ${txId}, at block ${height} or just below it, and a later one: look at where a page ends`,
      )
    }
  })
}

/** Deposits that are what they seem. */
export const depositRules: readonly Rule[] = [
  {
    id: 'deposit-seen',
    says: 'every step can be signed and sent as it is, and the watcher finds the deposit once, with its order (wire.md 1.4)',
    run: (harness) => forEachCurrency(harness, (currency) => seenOnce(harness, currency)),
  },
  {
    id: 'deposit-resumed',
    says: 'from every cursor a restarted watcher goes on without a gap, with the same identities (architecture.md 3, step 2)',
    run: resumed,
  },
  {
    id: 'deposit-read-again',
    says: 'from the cursor of a height on, what that height holds is found again, as the same deposit',
    exemption: ({ adapter }) => (adapter.cursorAt === undefined ? 'no range can be read again (cursorAt)' : null),
    run: readAgain,
  },
  {
    id: 'deposit-paged',
    says: 'no deposit is lost where one page of a node ends and the next begins',
    needs: { ability: 'smallPages', isThere: ({ smallPages }) => smallPages !== undefined },
    run: paged,
  },
  {
    id: 'deposit-duplicate',
    says: 'two deposits of one order are two deposits; none is lost, none is merged',
    run: async (harness) => {
      const cursor = await tipCursor(harness)
      const orderId = newOrderId()
      await deposit(harness, nativeOf(harness), orderId)
      await deposit(harness, nativeOf(harness), orderId)
      const pages = await watchUntil(harness, cursor, (read) => distinct(depositsOf(read, orderId)).length >= 2)
      const found = distinct(depositsOf(pages, orderId))
      check(found.length === 2, `${found.length} deposits were seen`)
      check(
        found.every(({ money }) => money.amount === harness.amount),
        'credits another amount',
      )
    },
  },
  {
    id: 'deposit-confirmed',
    says: 'a stored deposit is confirmed and found again, an invented one never (invariant 3)',
    run: confirmed,
  },
  {
    id: 'deposit-fee',
    says: 'the estimated cost of a deposit is within the stated error of what was charged',
    mayDeviate: true,
    run: (harness) =>
      forEachCurrency(harness, async (currency) => {
        const { adapter, user, amount, feeErrorPercent } = harness
        const money = { currency, amount }
        const request = { from: user.address, money, orderId: newOrderId(), explicitDeposit: true }
        const estimate = await adapter.estimateDepositFee(request)
        check(estimate.network.currency === adapter.native.address, 'estimates in another currency than the native one')
        check(estimate.validForMs > 0, 'the estimate is never valid')
        const { found } = await depositSeen(harness, currency)
        checkError(estimate.network.amount, found.fee, feeErrorPercent.deposit)
      }),
  },
]

/** Throws unless estimate and charge are within the error. */
export const checkError = (estimate: bigint, charge: bigint, percent: number): void => {
  const error = estimate > charge ? estimate - charge : charge - estimate
  check(charge > 0n, 'says that nothing was charged')
  check(
    error * 100n <= charge * BigInt(percent),
    `estimated ${estimate}, charged ${charge}: more than ${percent} per cent apart`,
  )
}

/** Deposits that are not what they seem, or do not stay. */
export const falseDepositRules: readonly Rule[] = [
  {
    id: 'deposit-failed',
    says: 'a transaction that failed on the chain is no deposit, whatever it carries (invariant 3)',
    needs: { ability: 'user.sendFailing', isThere: ({ user }) => user.sendFailing !== undefined },
    run: async (harness) => {
      const { adapter, user } = harness
      const cursor = await tipCursor(harness)
      const orderId = newOrderId()
      const item = there((await depositItems(harness, nativeOf(harness), orderId)).at(-1), 'buildDeposit gives no step')
      const txId = (await user.sendFailing?.(item.data, item)) ?? ''
      const found = depositsOf(await watchPast(harness, cursor), orderId)
      check(
        found.every(({ state }) => state === 'failed'),
        'reports a failed transaction as a deposit',
      )
      const { status } = await adapter.findTransaction({ id: txId })
      check(status === 'failure', `the failed transaction is ${status}`)
      const money = { currency: nativeOf(harness), amount: harness.amount }
      const claim = { tx: { id: txId }, position: 0, money, orderId }
      check(!(await adapter.confirmDeposit(claim, { agreeing: 1 })), 'confirms a deposit of a failed transaction')
    },
  },
  {
    id: 'deposit-strange-token',
    says: 'a deposit of a token that nobody listed is reported as that token, never as another',
    needs: { ability: 'strangeToken', isThere: ({ strangeToken }) => strangeToken !== undefined },
    exemption: ({ adapter }) => (adapter.capabilities.tokens ? null : 'the chain has no tokens'),
    run: async (harness) => {
      const token = there(await harness.strangeToken?.(), 'the harness gives no token')
      const cursor = await tipCursor(harness)
      const orderId = newOrderId()
      const txId = await deposit(harness, token, orderId)
      const found = (await watchPast(harness, cursor, { currency: token }))
        .flatMap(({ deposits }) => deposits)
        .filter(({ tx, orderId: carried }) => tx.id === txId || carried === orderId)
      check(found.length > 0, 'the deposit is not reported: what arrives must never be dropped')
      const wrong = found.find(({ money }) => money.currency !== token || money.amount !== harness.amount)
      check(wrong === undefined, `reports ${wrong?.money.amount} of ${wrong?.money.currency}`)
    },
  },
  {
    id: 'deposit-look-alikes',
    says: 'what only looks like a deposit is ignored or reported as what really arrived',
    needs: { ability: 'lookAlikes', isThere: ({ lookAlikes = [] }) => lookAlikes.length > 0 },
    run: async (harness) => {
      for (const { what, make, arrived } of harness.lookAlikes ?? []) {
        const cursor = await tipCursor(harness)
        const orderId = newOrderId()
        const txId = await make(orderId)
        const seen = (await watchPast(harness, cursor, arrived === null ? {} : { currency: arrived.currency }))
          .flatMap(({ deposits }) => deposits)
          .filter(({ tx, state, orderId: carried }) => state !== 'failed' && (tx.id === txId || carried === orderId))
        const found = distinct(seen)
        if (arrived === null) check(found.length === 0, `takes ${what} for a deposit of ${found[0]?.money.amount}`)
        else {
          const [only] = found
          check(found.length === 1 && only !== undefined, `makes ${found.length} deposits of ${what}`)
          const { currency, amount } = only.money
          check(currency === arrived.currency && amount === arrived.amount, `credits ${amount} ${currency} for ${what}`)
        }
      }
    },
  },
  {
    id: 'deposit-reorg',
    says: 'a deposit that leaves the chain is reported: the watcher rewinds, a second reading does not find it (wire.md K.2 6)',
    exemption: nothingLeaves,
    needs: { ability: 'reorg', isThere: ({ reorg }) => reorg !== undefined },
    run: async (harness) => {
      const { adapter } = harness
      const { pages, found } = await depositSeen(harness, nativeOf(harness))
      const { height } = there(found.block, 'the deposit has no block')
      await harness.reorg?.(await depthOf(harness, height))
      await harness.advance(1)
      await watchUntil(harness, stored(pages.at(-1)?.cursor ?? null), (read) =>
        read.some(({ rewoundTo }) => rewoundTo !== null && rewoundTo < height),
      )
      const [evidence] = await adapter.recheckDeposits([{ tx: found.tx, position: found.position }])
      check(evidence?.finding === 'missing', `a second reading says ${evidence?.finding}`)
      check(!(await adapter.confirmDeposit(found, { agreeing: 1 })), 'confirms a deposit that left the chain')
    },
  },
]
