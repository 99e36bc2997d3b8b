import { COIN_PRICES } from '../../climate.js'
import type { World } from '../../world.js'
import type { Action } from '../action.js'

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
  run: (world, random) => movePrice(world, random.pick(COIN_PRICES)),
}

/** The lowest and the highest price of a coin, dollars. */
export const [, LOW, HIGH] = COIN_PRICES

/** After it no host uses a price of before. */
export const CACHED_MS = 5_500

export const movePrice = (world: World, usd: string): void => {
  world.coinPrice = usd
  world.fault('price moves', `a coin is worth ${usd} dollars`)
}
