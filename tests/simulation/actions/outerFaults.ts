import { COIN_PRICES } from '../climate.js'
import type { Action } from './action.js'

/** The keys of payouts and withdrawals are in a place that is away: what is decided waits unsigned. */
export const signersAway: Action = {
  name: 'signers away',
  weight: 3,
  faults: ['signers away'],
  run: async (world, random) => {
    if (world.signersAway || world.calm) return
    world.signersAway = true
    world.fault('signers away', 'the signers are away')
    await world.sleep(random.int(1_000, 25_000))
    if (world.signersAway) world.tell('the signers are back')
    world.signersAway = false
  },
}

/** A coin is worth more, or less, until later. */
export const priceMoves: Action = {
  name: 'price moves',
  weight: 3,
  faults: ['price moves'],
  run: (world, random) => {
    world.coinPrice = random.pick(COIN_PRICES)
    world.fault('price moves', `a coin is worth ${world.coinPrice} dollars`)
  },
}
