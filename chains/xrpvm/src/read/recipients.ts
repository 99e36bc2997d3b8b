import type { Destination, RecipientStatus } from '@causeway/core/chain'
import { answerOf } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { ACCOUNT_ONE, isKeyless } from '../address/addresses.js'
import { parseIssued } from '../address/currencies.js'
import { type Asked, askAccount, askCaughtUp, askLines, askObjects } from '../rpc/xrpNode.js'
import { lineOf } from './balances.js'
import { accountProblem, asksWhoPays, issuedProblem } from './recipientRules.js'

export interface RecipientsDeps {
  readonly depository: string
  /** Payer: some accounts take payments of chosen payers alone. */
  readonly solver: string
}

/** Named as user or recipient while no wallet is connected (wire.md 0.5). */
export const PLACEHOLDERS: readonly string[] = [ACCOUNT_ONE]

const readAuthorized = answerOf(Type.Object({ Authorize: Type.Optional(Type.String()) }))

/** Whether an account can be paid in a currency now, as one node shows it; XRP opens one that is not there. */
export const readRecipient = async (
  asked: Asked,
  { to, currency }: { readonly to: Destination; readonly currency: string },
  { depository, solver }: RecipientsDeps,
): Promise<RecipientStatus> => {
  const { address, tag } = to
  if (PLACEHOLDERS.includes(address)) return { canReceive: true }
  if (isKeyless(address)) return refused('Nobody has a key of this account: the money would be lost.')
  if (address === depository) return refused('The depository is not a recipient.')
  const [account, issued, { validated }] = await Promise.all([
    askAccount(asked, address),
    askIssued(asked, address, currency),
    askCaughtUp(asked),
  ])
  if (account === null) {
    if (issued === null) return { canReceive: true, least: validated.reserves.base }
    return refused("The recipient's account does not exist yet: it must be opened with XRP and trust the issuer first.")
  }
  const why = accountProblem(account, tag) ?? (issued && issuedProblem(issued))
  if (why !== null) return refused(why)
  if (issued?.isIssuer === true)
    return refused('The recipient issues this currency: what is paid to it exists no more.')
  if (asksWhoPays(account) && !(await isChosen(asked, address, solver)))
    return refused('The recipient takes payments only of accounts that it chose.')
  return { canReceive: true }
}

const refused = (why: string): RecipientStatus => ({ canReceive: false, why })

/** Issuer and trust line of an issued currency; null for XRP. */
const askIssued = async (asked: Asked, address: string, currency: string) => {
  const named = parseIssued(currency)
  if (named === null) return null
  const [issuer, found] = await Promise.all([
    askAccount(asked, named.issuer),
    askLines(asked, { account: address, peer: named.issuer }),
  ])
  return { issuer, isIssuer: named.issuer === address, line: lineOf(found?.lines ?? [], currency) }
}

const isChosen = async (asked: Asked, account: string, payer: string): Promise<boolean> => {
  const chosen = await askObjects(asked, { account, type: 'deposit_preauth' }, readAuthorized)
  return chosen.some(({ Authorize }) => Authorize === payer)
}
