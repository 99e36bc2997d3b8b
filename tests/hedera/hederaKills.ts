import { testAccountKills } from '../kills/accountKills.js'
import { paymentsOf } from './hederaPayments.js'

/** Adds the test of kills over payments on Hedera. */
export const testHederaKills = (places: readonly string[]): void =>
  testAccountKills(
    {
      ...{ vmType: 'hederavm', name: 'Hedera', paymentsOf },
      fills: { HBAR: 200n },
    },
    places,
  )
