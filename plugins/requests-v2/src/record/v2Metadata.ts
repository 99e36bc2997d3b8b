import type { Json } from '@causeway/core'
import {
  type AmountJson,
  quotedAmount,
  quotedEnds,
  quotedText,
  type RecordParts,
  type RecordRouteJson,
} from '@causeway/core/plugin'
import { currencyId, currentUsd, type RecordView } from './recordView.js'

const oracleSide = (amount: AmountJson, parts: RecordParts) => {
  const { chainId, address, decimals } = amount.currency
  return { chainId, address, currencyId: currencyId(amount.currency, parts), decimals }
}

/** `quoteOraclePrice` as version 2 writes it; null where the quote has none. */
const v2OraclePrice = (parts: RecordParts): Json => {
  const { facts } = parts
  const rate = quotedText(facts, 'quoteOraclePrice.rate')
  const observedAt = quotedText(facts, 'quoteOraclePrice.observedAt')
  const from = quotedAmount(facts, 'quoteOraclePrice.inputCurrency')
  const to = quotedAmount(facts, 'quoteOraclePrice.outputCurrency')
  if (rate === null || observedAt === null || from === null || to === null) return null
  return {
    rate,
    inputAmount: from.amount,
    outputAmount: to.amount,
    observedAt,
    from: oracleSide(from, parts),
    to: oracleSide(to, parts),
  }
}

/** `data.metadata` (wire.md 3.2): what really moved where that is known, else what was quoted. */
export const v2Metadata = (parts: RecordParts, { actual, quoted }: RecordRouteJson, view: RecordView) => {
  const { facts } = parts
  const ends = quotedEnds(parts)
  const { origin, destination, rate } = actual
  const currencyIn = origin.inputCurrency ?? ends.currencyIn
  const currencyOut = (destination === undefined ? origin : destination).outputCurrency ?? ends.currencyOut
  const topup = destination?.currencyGasTopup ?? quoted.destination?.currencyGasTopup
  const valued = (amount: AmountJson) => ({ ...amount, ...currentUsd(amount, view) })
  return {
    sender: quotedText(facts, 'details.sender') ?? facts.user,
    recipient: facts.recipient,
    currencyIn: valued(currencyIn),
    currencyOut: valued(currencyOut),
    ...(topup === undefined ? {} : { currencyGasTopup: valued(topup) }),
    rate,
    route: { origin, ...(destination === undefined ? {} : { destination }) },
    quoteOraclePrice: v2OraclePrice(parts),
  }
}
