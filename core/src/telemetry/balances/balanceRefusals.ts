import type { Counter, Metrics } from '../metrics.js'

const OF = ['quote', 'decision', 'claim', 'fast-fill'] as const

/** Counts what was refused since a wallet's balance does not cover it (`isBalanceTooLow`), by what was asked for. */
export const balanceRefusals = (metrics: Metrics): Counter<{ readonly of: typeof OF }> =>
  metrics.counter({
    name: 'causeway_balance_refusals_total',
    help: 'What a balance did not cover: quotes with a sponsor, decisions to fill them, claims, fast fills',
    labels: { of: OF },
  })
