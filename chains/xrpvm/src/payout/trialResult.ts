import { findAtNode, type JsonRpcEndpoint, type TrialResult } from '@causeway/core/chain-kit'
import { resultText } from '../lane/engineResults.js'
import { networkField } from '../rpc/networkField.js'
import { SIMULATE } from '../rpc/xrpNode.js'
import type { PaymentForm } from './paymentForm.js'

const RECIPIENT = [
  ...['tecNO_DST', 'tecNO_DST_INSUF_XRP', 'tecDST_TAG_NEEDED', 'tecNO_PERMISSION'],
  ...['tecNO_LINE', 'tecNO_LINE_INSUF_RESERVE', 'tecNO_AUTH'],
]
const SHORT = [
  ...['tecUNFUNDED_PAYMENT', 'tecUNFUNDED', 'tecINSUFF_FEE', 'tecINSUFFICIENT_RESERVE'],
  ...['terINSUF_FEE_B', 'terNO_ACCOUNT'],
]
const KINDS: ReadonlyMap<string, TrialResult['kind']> = new Map([
  ['tesSUCCESS', null],
  ...RECIPIENT.map((result) => [result, 'recipient-cannot-receive'] as const),
  ...SHORT.map((result) => [result, 'insufficient-funds'] as const),
  // Either side can be the reason.
  ['tecPATH_DRY', 'unclear'],
  ['tecPATH_PARTIAL', 'unclear'],
])

/** Returns the meaning of a result of `simulate`. Load, numbers and the server's own state are transient. */
export const trialKind = (result: string): TrialResult['kind'] => {
  const kind = KINDS.get(result)
  if (kind !== undefined) return kind
  return /^te[lrf]/.test(result) ? 'transient' : 'revert'
}

/** Runs a payment without a signature; null at a server older than rippled 2.4. @throws ServiceError if it does not answer */
export const tryPayment = async (
  node: JsonRpcEndpoint,
  form: PaymentForm,
  networkId: number,
): Promise<TrialResult | null> => {
  const found = await findAtNode(node, SIMULATE, { tx_json: { ...form, ...networkField(networkId) } })
  if (found === null) return null
  const data = found.engine_result
  return { kind: trialKind(data), message: resultText(data), data }
}
