import { testAccountKills } from '../kills/accountKills.js'
import { paymentsOf } from './tonPayments.js'

/** Adds the test of kills over payments on TON. */
export const testTonKills = (places: readonly string[]): void =>
  testAccountKills(
    {
      ...{ vmType: 'tonvm', name: 'TON', paymentsOf },
      // A transfer of jettons attaches more TON than its order pays for, and gets most of it back.
      fills: { TON: 60n, USDC: 150n },
    },
    places,
  )
