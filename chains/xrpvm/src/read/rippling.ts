import type { AccountFinding } from '@causeway/core/chain-kit'
import { symbolOf } from '../address/currencies.js'
import { ACCOUNT_FLAGS, type AccountState, type TrustLine } from '../rpc/accountState.js'
import { type Asked, askAllLines } from '../rpc/xrpNode.js'

/** Lines that one finding names. */
const MOST_NAMED = 5
const CHECK = 'rippling'
const FAULT = { check: CHECK, state: 'fault' } as const

/** Whether untrusted callers may move balances of an account between its issuers (faults.md F155), by all of its trust lines. */
export const diagnoseRippling = async (asked: Asked, address: string, { flags }: Pick<AccountState, 'flags'>) => {
  const { lines, isWhole } = await askAllLines(asked, address)
  const open = lines.filter(({ no_ripple }) => no_ripple !== true)
  const found: AccountFinding[] = []
  // Payments ripple through an account between two lines unless both have NoRipple: at par, without consent.
  if ((flags & ACCOUNT_FLAGS.defaultRipple) !== 0)
    found.push({
      ...FAULT,
      message: 'has DefaultRipple set, so that payments of others go through its balances',
      remedy: `Clear it: AccountSet of ${address} with ClearFlag 8 (asfDefaultRipple). Then set NoRipple on each of its trust lines.`,
    })
  if (open.length > 0)
    found.push({
      ...FAULT,
      message: `has trust lines without NoRipple, so that payments of others go through its balances: ${namesOf(open)}`,
      remedy: `Set it on each: TrustSet of ${address} with the limit that the line has and Flags 131072 (tfSetNoRipple).`,
    })
  if (!isWhole)
    found.push({
      ...{
        check: CHECK,
        state: 'warning',
        message: `has more than ${lines.length} trust lines, and those beyond were not read`,
      },
      remedy: 'Move what it holds to a new account of its own key, and configure that one.',
    })
  if (found.length > 0) return found
  return [{ check: CHECK, state: 'ok', message: 'no payment of others goes through its balances' } as const]
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
