import type { BroadcastResult } from '@causeway/core/chain'
import { type Rejection, rejectedAs } from '@causeway/core/chain-kit'

/** A ledger may hold it all the same, or the server has it and waits. */
const KNOWN: ReadonlySet<string> = new Set(['terQUEUED', 'terPRE_SEQ', 'terPRE_TICKET', 'terRETRY', 'tefALREADY'])

/** Reasons of a server that does not take bytes, as lanes know them. */
const REFUSALS: ReadonlyMap<string, Rejection> = new Map([
  ['tefPAST_SEQ', 'nonce-too-low'],
  ['tefNO_TICKET', 'nonce-too-low'],
  ['telINSUF_FEE_P', 'underpriced'],
  ['terINSUF_FEE_B', 'insufficient-funds'],
  ['terNO_ACCOUNT', 'insufficient-funds'],
  ['telREQUIRES_NETWORK_ID', 'invalid'],
  ['telWRONG_NETWORK', 'invalid'],
  ['telNETWORK_ID_MAKES_TX_NON_CANONICAL', 'invalid'],
  ['tefMASTER_DISABLED', 'invalid'],
  ['tefBAD_SIGNATURE', 'invalid'],
])

const reasonOf = (result: string): Rejection | null => {
  const reason = REFUSALS.get(result)
  if (reason !== undefined) return reason
  if (result.startsWith('telCAN_NOT_QUEUE')) return 'underpriced'
  return result.startsWith('tem') || result.startsWith('tefBAD_AUTH') ? 'invalid' : null
}

/**
 * Meaning of the preliminary result of `submit` (chains.md xrpvm 4). A `tec` transaction is in the open ledger, and only a validated ledger
 * shows its effect. After a result that is not named here the transaction may still land.
 */
export const broadcastResultOf = (result: string): BroadcastResult => {
  if (result.startsWith('tes') || result.startsWith('tec') || KNOWN.has(result)) return { outcome: 'known' }
  if (result === 'tefMAX_LEDGER')
    return { outcome: 'expired', message: 'The last ledger that may hold the payment is past.' }
  const reason = reasonOf(result)
  if (reason === null) return { outcome: 'unknown', message: `A server says nothing sure of the payment (${result}).` }
  return rejectedAs(reason, result)
}

const RESULTS: ReadonlyMap<string, string> = new Map([
  ['tecPATH_DRY', 'the recipient holds no trust line for this currency, or the payer has none of it'],
  ['tecPATH_PARTIAL', 'not all of the amount could be brought to the recipient'],
  ['tecNO_LINE', 'the recipient holds no trust line for this currency'],
  ['tecNO_LINE_INSUF_RESERVE', 'the recipient cannot pay the reserve of a trust line'],
  ['tecNO_AUTH', 'the issuer has not authorised the recipient'],
  ['tecNO_PERMISSION', 'the recipient takes no payments that it has not authorised'],
  ['tecDST_TAG_NEEDED', 'the recipient needs a destination tag'],
  ['tecNO_DST', 'the recipient does not exist'],
  ['tecNO_DST_INSUF_XRP', 'the recipient does not exist, and the amount is below the reserve of an account'],
  ['tecUNFUNDED_PAYMENT', 'the payer does not hold enough'],
  ['tecUNFUNDED', 'the payer does not hold enough'],
  ['tecINSUFF_FEE', 'the payer cannot pay the fee'],
  ['tecINSUFFICIENT_RESERVE', 'the payer would hold less than its reserve'],
  ['tecFROZEN', 'the currency is frozen'],
])

/** Why a transaction did nothing but cost its fee, in plain words, with the ledger's own code. */
export const resultText = (result: string): string => {
  const words = RESULTS.get(result)
  return words === undefined ? `The ledger refused it (${result}).` : `The ledger refused it: ${words} (${result}).`
}
