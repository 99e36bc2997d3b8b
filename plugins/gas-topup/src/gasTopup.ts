import { ServiceError } from '@causeway/core'
import type { Price } from '@causeway/core/chain'
import {
  AmountText,
  amountForUsd,
  amountObject,
  defineQuoteExtension,
  type QuoteDraft,
  RULE_KEYWORD,
  type Usd,
} from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import type { GasTopupSettings } from './options.js'

/** Body fields of this capability (wire.md 1.2); core refuses the amount without the flag. */
export const GasTopupBody = Type.Object({
  topupGas: Type.Optional(Type.Boolean({ description: 'Adds native currency on the destination' })),
  topupGasAmount: Type.Optional(
    AmountText({
      [RULE_KEYWORD]: 'must be the text of a whole number of millionths of a US dollar',
      description: 'Millionths of a dollar',
    }),
  ),
})

const MICRO_USD: Usd = 10n ** 12n

const refused = (message: string): ServiceError => new ServiceError('INVALID_REQUEST', message)

/** What is wanted, within the bounds of the operator. */
const wantedUsd = (text: string | undefined, { usual, minimum, maximum }: GasTopupSettings): Usd => {
  if (text === undefined) return usual
  const usd = BigInt(text) * MICRO_USD
  if (usd >= minimum && usd <= maximum) return usd
  throw refused(
    `body.topupGasAmount must be from ${minimum / MICRO_USD} to ${maximum / MICRO_USD}, millionths of a US dollar`,
  )
}

/**
 * Throws where native currency cannot come along. Any other currency that can be quoted is either held by the solver or
 * reached by a swap, so the rest of wire.md G.1 holds of itself.
 */
const requirePossible = ({ destination, destinationCurrency, destinationNative }: QuoteDraft): void => {
  const { id } = destination.config
  if (destination.adapter.capabilities.gasTopup !== true) {
    throw refused(`body.topupGas is not supported on chain ${id}`)
  }
  if (destinationCurrency.address === destinationNative.address) {
    throw refused(
      `body.topupGas needs another destinationCurrency: ${destinationNative.symbol} pays the gas of chain ${id}`,
    )
  }
}

/**
 * Native currency of the destination that the fill brings along, so that the recipient can pay for its first transaction
 * there (wire.md G.1). The user pays for it with the network cost of the fill.
 */
export const gasTopup = (settings: GasTopupSettings) => {
  /** The price at which each quote counted its native currency. */
  const prices = new WeakMap<QuoteDraft, Price>()
  return defineQuoteExtension({
    name: 'gas-topup',
    bodySchema: GasTopupBody,
    phase: 'resolve',
    apply: async (draft, { topupGas, topupGasAmount }) => {
      if (topupGas !== true) return
      requirePossible(draft)
      const usd = wantedUsd(topupGasAmount, settings)
      const [price] = await draft.prices([draft.destinationNative])
      if (price === undefined) throw new Error('Prices answers for each currency it is asked for')
      const amount = amountForUsd(usd, draft.destinationNative, price.usd, 'down')
      if (amount === 0n)
        throw refused('body.topupGasAmount is worth less than the smallest unit of the native currency')
      draft.topup = amount
      prices.set(draft, price)
    },
    details: (draft) => {
      const price = prices.get(draft)
      if (price === undefined) return {}
      const money = { currency: draft.destinationNative, amount: draft.topup }
      return { currencyGasTopup: amountObject(money, price.usd) }
    },
  })
}
