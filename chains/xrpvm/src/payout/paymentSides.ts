import type { ChainMoney } from '@causeway/core/chain'
import { findAtNode, type JsonRpcEndpoint, type PaymentSides } from '@causeway/core/chain-kit'
import { parseIssuedValue } from '../address/amounts.js'
import { isNative, parseIssued } from '../address/currencies.js'
import { lineOf, reserveOf } from '../read/balances.js'
import { accountProblem, asksWhoPays, issuedProblem } from '../read/recipientRules.js'
import type { AccountState, TrustLine } from '../rpc/accountState.js'
import type { Reserves } from '../rpc/serverInfo.js'
import { AUTHORIZED, askAccount, askCaughtUp, askLines } from '../rpc/xrpNode.js'
import type { PaymentForm } from './paymentForm.js'

/** Both sides of a payment in one validated ledger. */
export interface PaymentParties {
  readonly height: bigint
  readonly reserves: Reserves
  /** Null: the account does not exist. */
  readonly payer: AccountState | null
  readonly recipient: AccountState | null
  /** The issuer of the currency; null for XRP. */
  readonly issuer: AccountState | null
  /** Trust lines of the currency, as payer and recipient see them. */
  readonly held: TrustLine | null
  readonly taken: TrustLine | null
  /** False: the recipient takes payments of chosen accounts alone, and did not choose the payer. */
  readonly isChosen: boolean
}

/** Reads both sides at one server. @throws ServiceError if it does not answer */
export const readSides = async (node: JsonRpcEndpoint, form: PaymentForm, money: ChainMoney): Promise<PaymentSides> => {
  const { Account, Destination } = form
  const { validated } = await askCaughtUp(node)
  const { height } = validated
  const issuerOf = parseIssued(money.currency)?.issuer
  const lineOfAccount = async (account: string) => {
    if (issuerOf === undefined) return null
    const found = await askLines(node, { account, peer: issuerOf, height })
    return lineOf(found?.lines ?? [], money.currency)
  }
  const [payer, recipient, issuer, held, taken] = await Promise.all([
    askAccount(node, Account, height),
    askAccount(node, Destination, height),
    issuerOf === undefined ? null : askAccount(node, issuerOf, height),
    lineOfAccount(Account),
    lineOfAccount(Destination),
  ])
  const isChosen = recipient === null || !asksWhoPays(recipient) || (await isAuthorized(node, form))
  return sidesOf(form, money, { ...validated, payer, recipient, issuer, held, taken, isChosen })
}

/** False also if the server cannot tell. */
const isAuthorized = async (node: JsonRpcEndpoint, { Account, Destination }: PaymentForm): Promise<boolean> => {
  const asked = { source_account: Account, destination_account: Destination, ledger_index: 'validated' }
  return (await findAtNode(node, AUTHORIZED, asked))?.deposit_authorized === true
}

/** Rules of the ledger about both sides (chains.md xrpvm 5). Issued currencies move by their issuer alone, not through other trust lines. */
export const sidesOf = (
  form: Pick<PaymentForm, 'Destination' | 'DestinationTag'>,
  money: ChainMoney,
  parties: PaymentParties,
): PaymentSides => {
  const { height, reserves, payer, recipient, held } = parties
  const isXrp = isNative(money.currency)
  return {
    height,
    payer: payer && {
      coins: payer.balance,
      reserved: reserveOf(payer, reserves),
      held: held === null || isFrozen(held) ? 0n : unitsOf(held.balance),
    },
    recipient: {
      exists: recipient !== null,
      opensFrom: isXrp ? reserves.base : null,
      refusal: recipient && refusalOf(recipient, form, money, parties),
      // A trust line has a limit.
      isUnlimited: isXrp,
    },
  }
}

const refusalOf = (
  recipient: AccountState,
  { Destination, DestinationTag }: Pick<PaymentForm, 'Destination' | 'DestinationTag'>,
  { currency, amount }: ChainMoney,
  { issuer, taken: line, isChosen }: PaymentParties,
): string | null => {
  const why = accountProblem(recipient, DestinationTag)
  if (why !== null) return why
  if (!isChosen) return 'This account takes no payments that it has not authorised.'
  const issuerOf = parseIssued(currency)?.issuer
  if (issuerOf === undefined) return null
  const isIssuer = issuerOf === Destination
  const problem = issuedProblem({ issuer, isIssuer, line })
  if (problem !== null || isIssuer || line === null) return problem
  const isFull = unitsOf(line.balance) + amount > unitsOf(line.limit)
  return isFull ? 'The trust line of the recipient does not take so much of this currency.' : null
}

const unitsOf = (text: string): bigint => parseIssuedValue(text) ?? 0n

const isFrozen = ({ freeze_peer, deep_freeze, deep_freeze_peer }: TrustLine): boolean =>
  freeze_peer === true || deep_freeze === true || deep_freeze_peer === true
