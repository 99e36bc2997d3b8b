import { broadcast, included, makePayout, signAll, signPayout, succeeded } from './paying.js'
import { check, type Rule, there } from './rule.js'

/** Comparing a lane with the chain. */
export const journalRules: readonly Rule[] = [
  {
    id: 'journal-kept',
    says: 'a journal that holds every payment finds nothing unknown on the chain (design 3)',
    run: async (harness) => {
      const { adapter, signer } = harness
      const { height } = await adapter.tip()
      const payout = makePayout(harness)
      const { attempts, position } = await signAll(harness, [payout])
      const attempt = there(attempts[0], 'nothing was signed')
      await broadcast(adapter, attempt)
      await included(harness, attempt, payout)
      const reading = await adapter.lane.read(adapter.lane.addressOf(signer), { position, sinceHeight: height })
      check(reading.complete, 'could not read the whole lane')
      check(reading.unknown.length === 0, `calls ${reading.unknown.length} of its own payments unknown`)
    },
  },
  {
    id: 'journal-lost',
    says: 'a payment that the journal lacks is read back with its order id, so that it can be matched (design 3)',
    run: async (harness) => {
      const { adapter, signer } = harness
      const address = adapter.lane.addressOf(signer)
      const before = await adapter.lane.read(address, null)
      const { height } = await adapter.tip()
      const payout = makePayout(harness)
      const attempt = await signPayout(harness, payout)
      await broadcast(adapter, attempt)
      await succeeded(harness, attempt, payout)
      const other = await harness.createAdapter(harness.rpc)
      await other.start(new AbortController().signal)
      try {
        const reading = await other.lane.read(address, { position: before.position, sinceHeight: height })
        const found = reading.unknown.find(({ tx }) => tx.id === attempt.txId)
        check(found !== undefined, 'the lane does not find the payment')
        check(found.orderId === payout.orderId, `the lane reads order ${found.orderId} back`)
        check(found.money.amount === payout.money.amount, `the lane reads ${found.money.amount} back`)
        check(adapter.sameAddress(found.to, payout.to.address), `the lane reads recipient ${found.to} back`)
      } finally {
        await other.stop()
      }
    },
  },
]
