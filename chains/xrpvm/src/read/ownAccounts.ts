import type { OwnAccountQuestions } from '@causeway/core/chain-kit'
import { normalizeCurrency, parseIssued } from '../address/currencies.js'
import { ACCOUNT_FLAGS, type AccountState } from '../rpc/accountState.js'
import { type Asked, askAccount, askCaughtUp, askLines } from '../rpc/xrpNode.js'
import { lineOf, reserveOf } from './balances.js'
import { issuedProblem } from './recipientRules.js'
import { diagnoseRippling } from './rippling.js'

/** Flags of an account that does not take payments of any sender. */
const CLOSED = ACCOUNT_FLAGS.requireDestinationTag | ACCOUNT_FLAGS.depositAuthorization

/** Answers about accounts by one node. */
export const accountQuestions = (asked: Asked): OwnAccountQuestions<AccountState> => ({
  native: { symbol: 'XRP', unit: 'drops' },
  read: ({ address }) => askAccount(asked, address),
  funds: async (state) => {
    const { validated } = await askCaughtUp(asked)
    return { held: state.balance, reserve: reserveOf(state, validated.reserves) }
  },
  closed: (_, { flags }) =>
    (flags & CLOSED) === 0
      ? null
      : {
          message: 'refuses payments without a tag, or of accounts that it did not choose',
          remedy: 'Clear asfRequireDest and asfDepositAuth of this account: deposits name neither.',
        },
  usedByOthers: ({ address }, state) => diagnoseRippling(asked, address, state),
  holds: async ({ address, failing }, { address: configured, symbol }) => {
    const currency = normalizeCurrency(configured)
    const issued = currency === null ? null : parseIssued(currency)
    if (currency === null || issued === null) return null
    const [issuer, found] = await Promise.all([
      askAccount(asked, issued.issuer),
      askLines(asked, { account: address, peer: issued.issuer }),
    ])
    const line = lineOf(found?.lines ?? [], currency)
    const why = issuedProblem({ issuer, isIssuer: issued.issuer === address, line })
    const check = `trust line ${symbol}`
    if (why === null) return { check, state: 'ok', message: 'holds or may hold it' }
    const isMissing = line === null && issuer !== null
    const message = isMissing ? `does not trust its issuer, so ${failing} in it` : `cannot be paid in it: ${why}`
    const remedy = `Set up a trust line of ${address} to ${issued.issuer}, with room for what it is to hold.`
    return { check, state: 'fault', message, remedy }
  },
  advice: ({ role }, { tickets }) =>
    role === 'deposit addresses' || tickets > 0
      ? []
      : [
          {
            check: 'tickets',
            state: 'warning',
            message: 'holds no tickets, so its payments wait for each other',
            remedy: 'Create tickets with its key (TicketCreate), up to 250; each costs the reserve of one object.',
          },
        ],
})
