import { type Hex, ServiceError } from '@causeway/core'
import type { PayoutCall } from '@causeway/core/chain'
import { checkDelegations, type QuoteBody, spentByCalls, type TermsCalls, type TradeType } from '@causeway/core/plugin'

const refuse = (message: string): ServiceError => new ServiceError('INVALID_REQUEST', message)

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const DATA = /^0x([0-9a-fA-F]{2})*$/
const NUMBER = /^(0|[1-9][0-9]{0,77})$/

type BodyCall = NonNullable<QuoteBody['txs']>[number]

const readCall = (call: BodyCall, at: number): PayoutCall => {
  const { to, data = '0x', value = '0' } = call
  if (to === undefined) throw refuse(`body.txs[${at}].to is needed`)
  if (!DATA.test(data)) throw refuse(`body.txs[${at}].data must be 0x and pairs of hex digits`)
  if (!NUMBER.test(value)) throw refuse(`body.txs[${at}].value must be a decimal string in the smallest unit`)
  if (call.originalTxValue !== undefined && !NUMBER.test(call.originalTxValue)) {
    throw refuse(`body.txs[${at}].originalTxValue must be a decimal string in the smallest unit`)
  }
  // CAST: the pattern above.
  return { to: ADDRESS.test(to) ? to.toLowerCase() : to, data: data as Hex, value: BigInt(value) }
}

const checkTradeType = (tradeType: TradeType): void => {
  if (tradeType !== 'EXPECTED_OUTPUT') return
  throw new ServiceError('EXTRA_TXS_NOT_SUPPORTED', 'body.txs needs body.tradeType EXACT_INPUT or EXACT_OUTPUT')
}

/** Only calls that the depositor brings along have such a limit (wire.md 1.2). */
const checkDepositGas = ({ gasLimitForDepositSpecifiedTxs: limit, tradeType }: QuoteBody, hasCalls: boolean): void => {
  if (limit === undefined) return
  if (hasCalls && tradeType === 'EXACT_INPUT' && Number.isSafeInteger(limit) && limit > 0) return
  throw new ServiceError(
    'INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS',
    'body.gasLimitForDepositSpecifiedTxs is a whole number above 0, for body.txs with body.tradeType EXACT_INPUT',
  )
}

/**
 * The calls of a body, null without any (wire.md 1.2, G.2). Throws ServiceError `INVALID_REQUEST`,
 * `EXTRA_TXS_NOT_SUPPORTED`, `INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS`.
 */
export const readCalls = (body: QuoteBody): TermsCalls | null => {
  const { txs = [], authorizationList = [], txsGasLimit } = body
  checkDepositGas(body, txs.length > 0)
  checkDelegations(authorizationList, 'body.authorizationList')
  if (txs.length === 0) {
    if (authorizationList.length > 0) throw refuse('body.authorizationList is for body.txs; send both or neither')
    return null
  }
  checkTradeType(body.tradeType)
  if (txsGasLimit !== undefined && !(Number.isSafeInteger(txsGasLimit) && txsGasLimit > 0)) {
    throw refuse('body.txsGasLimit must be a whole number above 0')
  }
  const limits = [txsGasLimit, body.gasLimitForDepositSpecifiedTxs].filter((limit) => limit !== undefined)
  return {
    calls: txs.map(readCall),
    gasLimit: limits.length === 0 ? null : BigInt(Math.min(...limits)),
    delegations: authorizationList,
  }
}

/** The native currency that calls need: it can only come out of the output (wire.md C.1 INVALID_EXTRA_TXS). */
export const requireCallValue = (calls: TermsCalls | null, output: bigint, isNative: boolean): void => {
  const value = spentByCalls(calls?.calls ?? [])
  if (value === 0n || (isNative && value <= output)) return
  throw new ServiceError(
    'INVALID_EXTRA_TXS',
    isNative
      ? `The values of body.txs are ${value} in sum, more than the output of ${output}`
      : 'Calls with a value need the native currency as output',
  )
}
