import type { Diagnosis } from '@causeway/core/chain'
import { symbolOf } from '../address/currencies.js'
import { ACCOUNT_FLAGS, type AccountState, type TrustLine } from '../rpc/accountState.js'
import { type Asked, askAllLines } from '../rpc/xrpNode.js'

/** Lines that one finding names. */
const MOST_NAMED = 5
const CHECK = 'rippling'

interface Rippling {
  readonly subject: string
  readonly address: string
}

/** Whether untrusted callers may move balances of an account between its issuers (faults.md F155), by all of its trust lines. */
export const diagnoseRippling = async (asked: Asked, own: Rippling, account: AccountState) => {
  const { lines, isWhole } = await askAllLines(asked, own.address)
  return ripplingFindings(own, account, { lines, isWhole })
}

/**
 * Payments ripple through an account between two lines unless both have NoRipple: an untrusted caller exchanges one issuer's money for
 * another's, at par and without consent. DefaultRipple leaves NoRipple off on each new line, also on those that others open.
 */
export const ripplingFindings = (
  { subject, address }: Rippling,
  { flags }: Pick<AccountState, 'flags'>,
  { lines, isWhole }: { readonly lines: readonly TrustLine[]; readonly isWhole: boolean },
): readonly Diagnosis[] => {
  const finding = { check: CHECK, subject }
  const open = lines.filter(({ no_ripple }) => no_ripple !== true)
  const found: Diagnosis[] = []
  if ((flags & ACCOUNT_FLAGS.defaultRipple) !== 0)
    found.push({
      ...finding,
      state: 'fault',
      message: 'has DefaultRipple set, so that payments of others go through its balances',
      remedy: `Clear it: AccountSet of ${address} with ClearFlag 8 (asfDefaultRipple). Then set NoRipple on each of its trust lines.`,
    })
  if (open.length > 0)
    found.push({
      ...finding,
      state: 'fault',
      message: `has trust lines without NoRipple, so that payments of others go through its balances: ${namesOf(open)}`,
      remedy: `Set it on each: TrustSet of ${address} with the limit that the line has and Flags 131072 (tfSetNoRipple).`,
    })
  if (!isWhole)
    found.push({
      ...finding,
      state: 'warning',
      message: `has more than ${lines.length} trust lines, and those beyond were not read`,
      remedy: 'Move what it holds to a new account of its own key, and configure that one.',
    })
  return found.length > 0
    ? found
    : [{ ...finding, state: 'ok', message: 'no payment of others goes through its balances' }]
}

const namesOf = (lines: readonly TrustLine[]): string => {
  const named = lines.slice(0, MOST_NAMED).map(({ currency, account }) => `${nameOf(currency)} of ${account}`)
  return lines.length > MOST_NAMED ? `${named.join(', ')} and ${lines.length - MOST_NAMED} more` : named.join(', ')
}

/** The code is of the issuer's choice, and reaches logs and `GET /chains`: letters and digits alone. */
const nameOf = (code: string): string => {
  const symbol = symbolOf(code)
  return /^[A-Za-z0-9]+$/.test(symbol) ? symbol : `0x${Buffer.from(code).toString('hex').slice(0, 40)}`
}
