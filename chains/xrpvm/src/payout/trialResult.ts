import { answerOf, type JsonRpcEndpoint, type RpcCall, resultOf, type TrialResult } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { resultText } from '../lane/engineResults.js'
import { networkField } from '../network/networkField.js'
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

const UNKNOWN_METHOD: ReadonlySet<string> = new Set(['unknownCmd', 'notSupported', 'notEnabled'])
const readSimulated = answerOf(Type.Object({ engine_result: Type.String({ pattern: '^te[a-zA-Z_0-9]{1,60}$' }) }))

/** Runs a payment without a signature; null at a server older than rippled 2.4. @throws ServiceError if it does not answer */
export const tryPayment = async (
  node: JsonRpcEndpoint,
  form: PaymentForm,
  networkId: number,
): Promise<TrialResult | null> => {
  const call: RpcCall = { method: 'simulate', params: [{ tx_json: { ...form, ...networkField(networkId) } }] }
  const [outcome] = await node.batch([call])
  if (outcome?.ok === false && UNKNOWN_METHOD.has(outcome.error.message)) return null
  const { engine_result: data } = readSimulated(resultOf(outcome, call.method))
  return { kind: trialKind(data), message: resultText(data), data }
}
