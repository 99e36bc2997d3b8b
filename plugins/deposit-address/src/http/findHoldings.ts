import { type Currency, ServiceError } from '@causeway/core'
import type { ChainMoney, DepositAddress, DepositAddresses } from '@causeway/core/chain'

/** What lies at an address, and of how many currencies the chain did not say. */
export interface Holdings {
  readonly found: readonly ChainMoney[]
  readonly failed: number
}

/**
 * All currencies at once; where that fails each by itself, so that one broken token hides no other. Throws ServiceError when the chain says
 * nothing of any of them.
 */
export const findHoldings = async (
  addresses: DepositAddresses,
  address: DepositAddress,
  currencies: readonly Pick<Currency, 'address'>[],
): Promise<Holdings> => {
  const look = async (some: readonly Pick<Currency, 'address'>[]): Promise<readonly ChainMoney[]> =>
    (
      await addresses.holdings(
        [address],
        some.map(({ address: currency }) => currency),
      )
    ).flat()
  try {
    return { found: await look(currencies), failed: 0 }
  } catch (error) {
    if (!ServiceError.is(error) || currencies.length === 1) throw error
    const answers = await Promise.allSettled(currencies.map((currency) => look([currency])))
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const failed = answers.filter(({ status }) => status === 'rejected').length
    if (failed === currencies.length) throw error
    return { found, failed }
  }
}
