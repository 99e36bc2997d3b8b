import type { ChainConfig, CurrencyConfig, Diagnosis } from '@causeway/core/chain'
import { normalizeCurrency, parseIssued } from '../address/currencies.js'
import type { XrpSettings } from '../options.js'
import { lineOf, reserveOf } from '../read/balances.js'
import { issuedProblem } from '../read/recipientRules.js'
import { ACCOUNT_FLAGS, type AccountState } from '../rpc/accountState.js'
import type { Reserves } from '../rpc/serverInfo.js'
import { type Asked, askAccount, askLines, askServerInfo } from '../rpc/xrpNode.js'
import { diagnoseRippling } from './rippling.js'

/** An account of the deployment. */
interface OwnAccount {
  readonly subject: string
  readonly address: string
  /** What it is there for, as the end of a sentence. */
  readonly failing: string
  /** Whether strangers pay it without a tag. */
  readonly isPaidPlainly: boolean
  /** Whether its payments should not wait for each other. */
  readonly wantsTickets: boolean
}

/** What the service needs on the ledger: its accounts, what they keep for reserves and fees, and whom they trust. */
export const diagnoseAccounts = async (
  asked: Asked,
  { config, settings }: { readonly config: ChainConfig; readonly settings: XrpSettings },
): Promise<readonly Diagnosis[]> => {
  const { validated } = await askServerInfo(asked)
  if (validated === null) return []
  const accounts = accountsOf(config, settings)
  const found = await Promise.all(accounts.map((account) => diagnoseOne(asked, account, config, validated.reserves)))
  return [...sharedKey(config, settings), ...found.flat()]
}

const accountsOf = ({ slug, solver }: ChainConfig, settings: XrpSettings): readonly OwnAccount[] => [
  {
    subject: `${slug} depository`,
    address: settings.depository,
    failing: 'nothing can be deposited',
    isPaidPlainly: true,
    wantsTickets: true,
  },
  ...(solver === ''
    ? []
    : [
        {
          subject: `${slug} solver`,
          address: solver,
          failing: 'nothing can be paid out',
          isPaidPlainly: false,
          wantsTickets: true,
        },
      ]),
  ...(settings.depositAccount === null
    ? []
    : [
        {
          subject: `${slug} deposit addresses`,
          address: settings.depositAccount,
          failing: 'nothing can be paid to deposit addresses',
          isPaidPlainly: false,
          wantsTickets: false,
        },
      ]),
]

/** Withdrawals go from the depository to the solver: one account cannot be both. */
const sharedKey = ({ slug, solver }: ChainConfig, { depository }: XrpSettings): readonly Diagnosis[] =>
  solver !== depository
    ? []
    : [
        {
          check: 'account',
          subject: `${slug} depository`,
          state: 'fault',
          message: 'is the account of the solver',
          remedy: 'Give the allocator a key of its own, and its account as "depository" in the chain\'s options.',
        },
      ]

const diagnoseOne = async (
  asked: Asked,
  own: OwnAccount,
  { currencies }: Pick<ChainConfig, 'currencies'>,
  reserves: Reserves,
): Promise<readonly Diagnosis[]> => {
  const { address } = own
  const account = await askAccount(asked, address)
  if (account === null) return [missing(own)]
  const [rippling, ...lines] = await Promise.all([
    diagnoseRippling(asked, own, account),
    ...currencies.map((currency) => diagnoseLine(asked, own, currency)),
  ])
  return [...ownFindings(own, account, reserves), ...rippling, ...lines.flat()]
}

const missing = ({ subject, address, failing }: Pick<OwnAccount, 'subject' | 'address' | 'failing'>): Diagnosis => ({
  check: 'account',
  subject,
  state: 'fault',
  message: `does not exist yet, so ${failing}`,
  remedy: `Send XRP to ${address}, at least what accounts must keep and some more for fees.`,
})

/** Faults of the depository that keep deposits from arriving or from being withdrawn, and of any account that others can pay through. */
export const verifyOwnAccounts = async (
  asked: Asked,
  { config, settings }: { readonly config: ChainConfig; readonly settings: XrpSettings },
): Promise<readonly Diagnosis[]> => {
  const found = await Promise.all(
    accountsOf(config, settings).map(async (own) => {
      const { subject, address, isPaidPlainly } = own
      const account = await askAccount(asked, address)
      if (account === null) return isPaidPlainly ? [missing(own)] : []
      const closed = isPaidPlainly && (account.flags & CLOSED) !== 0
      return [...(closed ? [closedTo(subject)] : []), ...(await diagnoseRippling(asked, own, account))]
    }),
  )
  return [...sharedKey(config, settings), ...found.flat()]
}

/** What is wrong with an account that is there. */
export const ownFindings = (own: OwnAccount, account: AccountState, reserves: Reserves): readonly Diagnosis[] => {
  const { subject, address, isPaidPlainly, wantsTickets } = own
  const reserve = reserveOf(account, reserves)
  const float =
    account.balance > reserve
      ? { state: 'ok' as const, message: `exists, and holds ${account.balance - reserve} drops above its reserve` }
      : {
          state: 'fault' as const,
          message: `holds no more than its reserve of ${reserve} drops, so it can pay no fee`,
          remedy: `Send some XRP to ${address}: fees are paid from it.`,
        }
  const closed = isPaidPlainly && (account.flags & CLOSED) !== 0
  const waiting = wantsTickets && account.tickets === 0
  return [
    { check: 'account', subject, ...float },
    ...(closed ? [closedTo(subject)] : []),
    ...(waiting ? [withoutTickets(subject)] : []),
  ]
}

/** Flags of an account that does not take what anybody pays it. */
const CLOSED = ACCOUNT_FLAGS.requireDestinationTag | ACCOUNT_FLAGS.depositAuthorization

const closedTo = (subject: string): Diagnosis => ({
  check: 'account flags',
  subject,
  state: 'fault',
  message: 'refuses payments without a tag, or of accounts that it did not choose',
  remedy: 'Clear asfRequireDest and asfDepositAuth of this account: deposits name neither.',
})

const withoutTickets = (subject: string): Diagnosis => ({
  check: 'tickets',
  subject,
  state: 'warning',
  message: 'holds no tickets, so its payments wait for each other',
  remedy: 'Create tickets with its key (TicketCreate), up to 250; each costs the reserve of one object.',
})

/** Whether an account can hold a configured currency. */
const diagnoseLine = async (
  asked: Asked,
  { subject, address, failing }: OwnAccount,
  { address: configured, symbol }: CurrencyConfig,
): Promise<readonly Diagnosis[]> => {
  const currency = normalizeCurrency(configured)
  const issued = currency === null ? null : parseIssued(currency)
  if (currency === null || issued === null) return []
  const [issuer, found] = await Promise.all([
    askAccount(asked, issued.issuer),
    askLines(asked, { account: address, peer: issued.issuer }),
  ])
  const line = lineOf(found?.lines ?? [], currency)
  const why = issuedProblem({ issuer, isIssuer: issued.issuer === address, line })
  const check = `trust line ${symbol}`
  if (why === null) return [{ check, subject, state: 'ok', message: 'holds or may hold it' }]
  const message =
    line === null && issuer !== null ? `does not trust its issuer, so ${failing} in it` : `cannot be paid in it: ${why}`
  const remedy = `Set up a trust line of ${address} to ${issued.issuer}, with room for what it is to hold.`
  return [{ check, subject, state: 'fault', message, remedy }]
}
