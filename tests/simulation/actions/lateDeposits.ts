import type { Action } from './action.js'
import { CACHED_MS, HIGH, LOW, movePrice } from './faults/outerFaults.js'
import { LATE_UNTIL_MS, pay, quoteAny, short } from './transfers.js'

/** Until a deposit of this is in its block and read. */
const READ_MS = 8_000

/** A quote whose price moves, and a deposit when no host uses the price of the quote any more: what its user would choose to gain by that. */
export const lateDeposit: Action = {
  name: 'deposit after a price move',
  weight: 0,
  ofBalances: 3,
  faults: ['late deposit after a fall', 'late deposit after a rise'],
  run: async (world, random) => {
    if (world.kernel.time.now > LATE_UNTIL_MS) return
    const falls = random.chance(0.6)
    movePrice(world, falls ? HIGH : LOW)
    await world.sleep(CACHED_MS)
    const quoted = await quoteAny(world, random)
    if (quoted === null) return
    await world.sleep(random.int(0, 500))
    movePrice(world, falls ? LOW : HIGH)
    const late = random.int(43_000, 49_000)
    world.awaitUser(late + READ_MS)
    await world.sleep(late)
    const { quote, data } = quoted
    const money = { currency: data.currency, amount: BigInt(data.amount) }
    const words = `late deposit for order ${short(quote.orderId)}`
    pay(world, quote.origin, quote.user, { money, memo: data.memo, to: data.to }, words)
    world.fault(falls ? 'late deposit after a fall' : 'late deposit after a rise', 'it comes when the price has moved')
  },
}
