import type { Payout } from '../../../chain/laneAdapter.js'
import { ServiceError } from '../../../errors/serviceError.js'
import type { ConformanceHarness } from '../conformanceHarness.js'
import { balanceOf, broadcast, checkNeverPaid, makePayout, prepareAll, signPayout, strangerOf } from '../paying.js'
import { check, forEachCurrency, type Rule, there } from '../rule.js'

const plain = (what: string, message: string): void => {
  check(message.trim().length > 0, `${what} gives no reason`)
  check(!/https?:\/\/|wss?:\/\//i.test(message), `${what} tells a URL: ${message}`)
}

const unaffordable = async (harness: ConformanceHarness, currency: string): Promise<void> => {
  const { adapter, signer } = harness
  const held = await balanceOf(harness, adapter.lane.addressOf(signer), currency)
  const payout = await makePayout(harness, { money: { currency, amount: held + harness.amount } })
  const simulation = await adapter.simulate(payout)
  check(!simulation.ok, 'simulates a payment that the solver cannot afford')
  check(simulation.kind === 'insufficient-funds', `calls missing funds "${simulation.kind}"`)
  plain('the simulation', simulation.message)
  await forced(harness, payout)
}

/** Sends what simulation refused; the chain must refuse it as well. A lane that will not prepare it is right too. */
const forced = async (harness: ConformanceHarness, payout: Payout): Promise<void> => {
  const before = await balanceOf(harness, payout.to.address, payout.money.currency).catch(() => 0n)
  const attempt = await signPayout(harness, payout).catch((error: unknown) => {
    check(ServiceError.is(error), `prepare or sign throws something else than a ServiceError: ${String(error)}`)
    return null
  })
  if (attempt === null) return
  await broadcast(harness.adapter, attempt)
  await checkNeverPaid(harness, attempt, payout, before)
}

const impossible = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter } = harness
  const recipients = there(await harness.impossibleRecipients?.(), 'the harness gives no recipients')
  check(recipients.length > 0, 'the harness gives no recipients')
  for (const { what, address, currency } of recipients) {
    const payout = await makePayout(harness, { to: { address }, money: { currency, amount: harness.amount } })
    const status = await adapter.recipientStatus(payout.to, currency)
    if (!status.canReceive) {
      plain(`recipientStatus of ${what}`, status.why ?? '')
      continue
    }
    const simulation = await adapter.simulate(payout)
    check(!simulation.ok, `neither recipientStatus nor simulation reports ${what}`)
    check(
      simulation.kind === 'recipient-cannot-receive' || simulation.kind === 'revert',
      `reports ${what} as "${simulation.kind}"`,
    )
    plain(`the simulation of ${what}`, simulation.message)
    await forced(harness, payout)
  }
}

/** Payments that cannot be made. */
export const refusalRules: readonly Rule[] = [
  {
    id: 'payout-unaffordable',
    says: 'missing funds are reported before sending, and the chain agrees',
    run: (harness) => forEachCurrency(harness, (currency) => unaffordable(harness, currency)),
  },
  {
    id: 'payout-impossible',
    says: 'a recipient that cannot be paid is reported before sending, and the chain agrees',
    needs: { ability: 'impossibleRecipients', isThere: (harness) => harness.impossibleRecipients !== undefined },
    run: impossible,
  },
  {
    id: 'payout-wrong-key',
    says: 'a payment is not signed with a key that is not its lane',
    run: async (harness) => {
      const { adapter, signer } = harness
      const payout = await makePayout(harness)
      const item = there((await prepareAll(harness, [payout])).prepared[0], 'nothing was prepared')
      const refused = await adapter.lane.sign(item, strangerOf(signer)).then(
        () => null,
        (error: unknown) => error,
      )
      check(refused !== null, 'signs with the key of somebody else')
      check(ServiceError.is(refused), 'refuses with something else than a ServiceError')
    },
  },
]
