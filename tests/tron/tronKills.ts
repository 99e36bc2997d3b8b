import { testAccountKills } from '../kills/accountKills.js'
import { paymentsOf } from './tronPayments.js'

/** Adds the test of kills over payments on Tron. */
export const testTronKills = (places: readonly string[]): void =>
  testAccountKills(
    {
      ...{ vmType: 'tvm', name: 'Tron', paymentsOf },
      // The dollar answers false to a transfer that succeeds, as USDT does.
      fills: { TRX: 200n, USDC: 150n },
    },
    places,
  )
