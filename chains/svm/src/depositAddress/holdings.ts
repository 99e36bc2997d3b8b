import type { ChainMoney, DepositAddress } from '@causeway/core/chain'
import { NATIVE } from '../address/addresses.js'
import type { AccountReader } from '../read/token/accountReader.js'
import type { MintReader } from '../read/token/mintReader.js'
import { associatedTokenAddress, readTokenAccount } from '../read/token/tokenAccounts.js'

/** Addresses looked at in one request: so many accounts as a node answers in a moment, and no more are worked out without a pause. */
const ADDRESSES_AT_ONCE = 500

export interface HoldingsDeps {
  readonly accounts: AccountReader
  readonly mints: MintReader
}

/** What lies at addresses: lamports, and tokens in the associated accounts, a hundred accounts in one call. Unknown currencies are left out. */
export const readHoldings = async (
  addresses: readonly DepositAddress[],
  currencies: readonly string[],
  { accounts, mints }: HoldingsDeps,
): Promise<readonly (readonly ChainMoney[])[]> => {
  const known = await mints.readMany(currencies.filter((currency) => currency !== NATIVE))
  const wanted = currencies.filter((currency) => currency === NATIVE || known.has(currency))
  const held: (readonly ChainMoney[])[] = []
  for (let from = 0; from < addresses.length; from += ADDRESSES_AT_ONCE) {
    const part = addresses.slice(from, from + ADDRESSES_AT_ONCE).map(({ destination }) => destination.address)
    const places = part.map((owner) =>
      wanted.map((currency) => {
        const mint = known.get(currency)
        return { owner, currency, address: mint === undefined ? owner : associatedTokenAddress(owner, mint) }
      }),
    )
    const found = await accounts.read(places.flat().map(({ address }) => address))
    let at = 0
    for (const place of places) {
      held.push(
        place.flatMap(({ owner, currency }): ChainMoney[] => {
          const account = found[at++] ?? null
          const token = currency === NATIVE ? null : readTokenAccount(account)
          const ofOwner = token?.owner === owner ? token.amount : 0n
          const amount = currency === NATIVE ? BigInt(account?.lamports ?? 0) : ofOwner
          return amount === 0n ? [] : [{ currency, amount }]
        }),
      )
    }
  }
  return held
}
