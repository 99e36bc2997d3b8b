import type { Simulation } from '@causeway/core/chain'
import { resultText } from '../lane/engineResults.js'

type Kind = Extract<Simulation, { readonly ok: false }>['kind']

/** What results say about the recipient, whoever pays. */
const RECIPIENT: ReadonlySet<string> = new Set([
  'tecNO_DST',
  'tecNO_DST_INSUF_XRP',
  'tecDST_TAG_NEEDED',
  'tecNO_PERMISSION',
  'tecNO_LINE',
  'tecNO_LINE_INSUF_RESERVE',
  'tecNO_AUTH',
])

const SHORT: ReadonlySet<string> = new Set([
  'tecUNFUNDED_PAYMENT',
  'tecUNFUNDED',
  'tecINSUFF_FEE',
  'tecINSUFFICIENT_RESERVE',
  'terINSUF_FEE_B',
  'terNO_ACCOUNT',
])

/** Either side can be the reason: what both hold tells which. */
const UNCLEAR: ReadonlySet<string> = new Set(['tecPATH_DRY', 'tecPATH_PARTIAL'])

/** What a result of `simulate` means for a payment; null: it would be paid. `unclear`: both sides must be looked at. */
export const simulatedKind = (result: string): Kind | 'unclear' | null => {
  if (result === 'tesSUCCESS') return null
  if (RECIPIENT.has(result)) return 'recipient-cannot-receive'
  if (SHORT.has(result)) return 'insufficient-funds'
  if (UNCLEAR.has(result)) return 'unclear'
  // What is no matter of the payment: load, numbers, the server's own state.
  return result.startsWith('tel') || result.startsWith('ter') || result.startsWith('tef') ? 'transient' : 'revert'
}

/** In plain words. */
export const simulatedText = (result: string): string => resultText(result)
