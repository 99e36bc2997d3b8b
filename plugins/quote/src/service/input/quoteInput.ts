import { parseAmount, ServiceError } from '@causeway/core'
import type { QuoteBody, TermsCalls, TradeType } from '@causeway/core/plugin'
import type { QuoteExtensions } from '../quoteExtensions.js'
import { readCalls } from './callsInput.js'

/** A quote body after every check that needs no chain: what the service works from. */
export interface QuoteInput {
  readonly user: string
  /** Null when omitted. */
  readonly recipient: string | null
  readonly refundTo: string | null
  readonly originChainId: number
  readonly destinationChainId: number
  readonly originCurrency: string
  readonly destinationCurrency: string
  readonly amount: bigint
  readonly tradeType: TradeType
  /** Null: automatic. */
  readonly slippageBps: bigint | null
  readonly lateSlippageBps: bigint | null
  /** True when `subsidizationBps` was sent; only some routes allow it. */
  readonly asksPartialSubsidy: boolean
  readonly referrer: string | null
  readonly ttlSeconds: number | null
  readonly explicitDeposit: boolean
  readonly includeProtocolData: boolean
  readonly trueExactOutput: boolean
  /** Pays fee and rent of the deposit in place of the user. */
  readonly depositFeePayer: string | null
  /** Key of a user whose address alone does not tell how to spend from it. */
  readonly userPublicKey: string | null
  /** Calls of the fill; null: none. */
  readonly calls: TermsCalls | null
  readonly forceSolverExecution: boolean
  readonly disableOriginSwaps: boolean
  readonly overridePriceImpact: boolean
}

const BPS_TEXT = /^(0|[1-9][0-9]{0,4})$/

/** Any JSON value that is not the text of an integer from 0 to 10000 is refused with the one code (wire.md K.1 2). */
const readSlippage = (name: string, value: unknown): bigint | null => {
  if (value === undefined) return null
  if (typeof value === 'string' && BPS_TEXT.test(value) && Number(value) <= 10_000) return BigInt(value)
  throw new ServiceError(
    'INVALID_SLIPPAGE_TOLERANCE',
    `body.${name} must be the text of a whole number of basis points from 0 to 10000`,
  )
}

const SPONSOR_FIELDS = [
  'subsidizationBps',
  'maxSubsidizationAmount',
  'sponsoredFeeComponents',
  'subsidizeRent',
] as const

const badSubsidy = (message: string): ServiceError => new ServiceError('INVALID_SUBSIDIZATION', message)

const checkSubsidization = (body: QuoteBody): void => {
  const share = body.subsidizationBps
  if (share !== undefined && !(Number.isInteger(share) && Number(share) >= 0 && Number(share) <= 10_000)) {
    throw badSubsidy('body.subsidizationBps must be a whole number from 0 to 10000')
  }
  if (body.subsidizeFees === true) return
  const alone = SPONSOR_FIELDS.find((field) => body[field] !== undefined && body[field] !== false)
  if (alone !== undefined) throw badSubsidy(`body.${alone} needs body.subsidizeFees to be true`)
}

const isSet = (value: unknown): boolean => value === true
const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0
const isGiven = (value: unknown): boolean => value !== undefined

/** Fields that change the money or its path, and when they count as used. None is ever silently ignored (architecture.md 5). */
const OPTIONAL_CAPABILITIES: readonly (readonly [keyof QuoteBody & string, (value: unknown) => boolean])[] = [
  ['useDepositAddress', isSet],
  ['strict', isSet],
  ['recoveryAddress', isGiven],
  ['usePermit', isSet],
  ['subsidizeFees', isSet],
  ['appFees', isFilled],
  ['fixedRate', isGiven],
  ['topupGas', isSet],
  ['topupGasAmount', isGiven],
  ['useExternalLiquidity', isSet],
  ['useFallbacks', isSet],
]

const NEEDS: Readonly<Record<string, keyof QuoteBody & string>> = {
  strict: 'useDepositAddress',
  recoveryAddress: 'useDepositAddress',
  topupGasAmount: 'topupGas',
}

const checkCapabilities = (body: QuoteBody, extensions: QuoteExtensions): void => {
  for (const [field, isUsed] of OPTIONAL_CAPABILITIES) {
    if (!isUsed(body[field])) continue
    const needed = NEEDS[field]
    if (needed !== undefined && body[needed] !== true) {
      throw new ServiceError('INVALID_REQUEST', `body.${field} needs body.${needed} to be true`)
    }
    if (!extensions.declares(field)) {
      throw new ServiceError('INVALID_REQUEST', `body.${field} is not supported by this deployment`)
    }
  }
}

/**
 * Reads a body that fits the schema, in the order of wire.md K.1 1: slippage, subsidization, then options this
 * deployment lacks. Throws ServiceError `INVALID_SLIPPAGE_TOLERANCE`, `INVALID_SUBSIDIZATION`, `INVALID_REQUEST`.
 */
export const readQuoteInput = (body: QuoteBody, extensions: QuoteExtensions): QuoteInput => {
  const slippageBps = readSlippage('slippageTolerance', body.slippageTolerance)
  const lateSlippageBps = readSlippage('latePaymentSlippageTolerance', body.latePaymentSlippageTolerance)
  checkSubsidization(body)
  checkCapabilities(body, extensions)
  return {
    ...readCore(body),
    slippageBps,
    lateSlippageBps,
    asksPartialSubsidy: body.subsidizationBps !== undefined,
    referrer: body.referrer === undefined || body.referrer === '' ? null : body.referrer,
    ttlSeconds: body.ttl === undefined ? null : Math.floor(body.ttl),
    explicitDeposit: body.explicitDeposit ?? true,
    includeProtocolData: body.includeProtocolData ?? false,
    trueExactOutput: body.enableTrueExactOutput ?? false,
    depositFeePayer: body.depositFeePayer ?? null,
    userPublicKey: body.additionalData?.userPublicKey ?? null,
    calls: readCalls(body),
    forceSolverExecution: body.forceSolverExecution ?? false,
    disableOriginSwaps: body.disableOriginSwaps ?? false,
    overridePriceImpact: body.overridePriceImpact ?? false,
  }
}

const readCore = (body: QuoteBody) => {
  const amount = parseAmount(body.amount)
  if (amount === null) throw new ServiceError('INVALID_REQUEST', 'body.amount must be a decimal string')
  const { user, originChainId, destinationChainId, originCurrency, destinationCurrency, tradeType } = body
  const recipient = body.recipient ?? null
  const refundTo = body.refundTo ?? null
  return {
    user,
    recipient,
    refundTo,
    originChainId,
    destinationChainId,
    originCurrency,
    destinationCurrency,
    tradeType,
    amount,
  }
}
