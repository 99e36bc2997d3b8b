import type { ChainMoney } from '@causeway/core/chain'
import { answerOf, type JsonRpcEndpoint, type PaymentSides, type RpcCall, resultOf } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { lineOf, reserveOf } from '../account/balances.js'
import { accountProblem, asksWhoPays, issuedProblem } from '../account/recipientRules.js'
import { parseIssuedValue } from '../currency/amounts.js'
import { isNative, parseIssued } from '../currency/currencies.js'
import { catchingUp } from '../lane/laneMoment.js'
import { type AccountState, readAccount, readLines, type TrustLine } from '../rpc/accountState.js'
import type { Reserves } from '../rpc/serverInfo.js'
import { accountCall, askServerInfo, linesCall, NO_ACCOUNT, readOr } from '../rpc/xrpNode.js'
import type { PaymentForm } from './paymentForm.js'

/** Both sides of a payment in one validated ledger. */
export interface PaymentParties {
  readonly height: bigint
  readonly reserves: Reserves
  /** Null: the account does not exist. */
  readonly payer: AccountState | null
  readonly recipient: AccountState | null
  /** Of an issued currency, else null. */
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
  const { validated } = await askServerInfo(node)
  if (validated === null) throw catchingUp()
  const { height } = validated
  const issuerOf = parseIssued(money.currency)?.issuer
  const accounts = [Account, Destination, ...(issuerOf === undefined ? [] : [issuerOf])]
  const accountCalls = accounts.map((account) => accountCall(account, height))
  const lineCalls =
    issuerOf === undefined ? [] : [Account, Destination].map((account) => linesCall(account, issuerOf, height))
  const outcomes = await node.batch([...accountCalls, ...lineCalls])
  const [payer = null, recipient = null, issuer = null] = accountCalls.map((call, at) =>
    readOr(outcomes[at], call, { missing: NO_ACCOUNT, read: readAccount }),
  )
  const [held = null, taken = null] = lineCalls.map((call, at) => {
    const answer = readOr(outcomes[accounts.length + at], call, { missing: NO_ACCOUNT, read: readLines })
    return lineOf(answer?.lines ?? [], money.currency)
  })
  const isChosen = recipient === null || !asksWhoPays(recipient) || (await isAuthorized(node, form))
  return sidesOf(form, money, { ...validated, payer, recipient, issuer, held, taken, isChosen })
}

const readAuthorized = answerOf(Type.Object({ deposit_authorized: Type.Boolean() }))

/** False also if the server cannot tell. */
const isAuthorized = async (node: JsonRpcEndpoint, { Account, Destination }: PaymentForm): Promise<boolean> => {
  const fields = { source_account: Account, destination_account: Destination, ledger_index: 'validated' }
  const call: RpcCall = { method: 'deposit_authorized', params: [fields] }
  const [outcome] = await node.batch([call])
  return outcome?.ok === true && readAuthorized(resultOf(outcome, call.method)).deposit_authorized
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
