import { answerOf, type JsonRpcEndpoint, type RpcCall, resultOf } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { parseIssuedValue } from '../address/amounts.js'
import { type IssuedCurrency, normalizeCode, parseIssued } from '../address/currencies.js'
import type { AccountState, TrustLine } from '../rpc/accountState.js'
import type { Reserves } from '../rpc/serverInfo.js'
import { askAccount, askCaughtUp, askLines } from '../rpc/xrpNode.js'

/** What an account has of an issued currency, and may have. */
export interface IssuedHolding {
  readonly amount: bigint
  /** What it lets the issuer owe it. */
  readonly limit: bigint
  readonly isFrozen: boolean
}

/** Both sides of a payment, in one validated ledger. */
export interface PaymentParties {
  readonly height: bigint
  readonly reserves: Reserves
  /** Null: the account does not exist. */
  readonly payer: AccountState | null
  readonly recipient: AccountState | null
  /** Of an issued currency, null where there is no trust line; both null of XRP. */
  readonly held: IssuedHolding | null
  readonly taken: IssuedHolding | null
}

/** Whom a payment goes between. */
export interface Between {
  readonly payer: string
  readonly recipient: string
  readonly currency: string
}

/** Whether somebody who is no friend may pay an account is not told by its flags alone. */
const readAuthorized = answerOf(Type.Object({ deposit_authorized: Type.Boolean() }))

/** Reads both sides at one server. @throws ServiceError when it does not answer */
export const askParties = async (node: JsonRpcEndpoint, between: Between): Promise<PaymentParties> => {
  const { height, reserves } = (await askCaughtUp(node)).validated
  const issued = parseIssued(between.currency)
  const [payer, recipient] = await Promise.all(accountsOf(between).map((account) => askAccount(node, account, height)))
  const [held, taken] = await Promise.all(
    accountsOf(between).map(async (account) => {
      if (issued === null) return null
      const found = await askLines(node, { account, peer: issued.issuer, height })
      return found && holdingIn(found.lines, issued)
    }),
  )
  return {
    height,
    reserves,
    payer: payer ?? null,
    recipient: recipient ?? null,
    held: held ?? null,
    taken: taken ?? null,
  }
}

const accountsOf = ({ payer, recipient }: Between): readonly string[] => [payer, recipient]

const holdingIn = (lines: readonly TrustLine[], { code, issuer }: IssuedCurrency): IssuedHolding | null => {
  const line = lines.find(({ account, currency }) => account === issuer && normalizeCode(currency) === code)
  if (line === undefined) return null
  return {
    amount: parseIssuedValue(line.balance) ?? 0n,
    limit: parseIssuedValue(line.limit) ?? 0n,
    isFrozen: line.freeze_peer === true || line.deep_freeze === true || line.deep_freeze_peer === true,
  }
}

/** Whether the recipient takes payments of this payer; null where the server cannot say. */
export const isAuthorized = async (
  node: JsonRpcEndpoint,
  { payer, recipient }: Pick<Between, 'payer' | 'recipient'>,
): Promise<boolean | null> => {
  const fields = { source_account: payer, destination_account: recipient, ledger_index: 'validated' }
  const call: RpcCall = { method: 'deposit_authorized', params: [fields] }
  const [outcome] = await node.batch([call])
  return outcome?.ok === true ? readAuthorized(resultOf(outcome, call.method)).deposit_authorized : null
}
