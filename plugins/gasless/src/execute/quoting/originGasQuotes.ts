import { ServiceError } from '@causeway/core'
import { defineQuoteExtension, type QuoteDraft } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { ORIGIN_GAS_FIELD } from '../quotedExecution.js'
import type { OriginGasFees } from './originGasFees.js'

export interface OriginGasQuotesDeps {
  readonly fees: OriginGasFees
  readonly maxGas: number
}

const OriginGasBody = Type.Object({
  originGasOverhead: Type.Optional(
    Type.Union([Type.Number(), Type.String({ maxLength: 78 })], {
      description:
        'Gas of what is wrapped around a deposit that is sent for the user by `POST /execute`, such as 300000 of a user operation or 80000 of an EIP-7702 batch: it and the gas of the deposit are charged with the other fees. Without effect on chains where nothing is sent for users',
    }),
  ),
})

/** Null: not asked for. Throws ServiceError for what is no amount of gas. */
const overheadOf = (asked: number | string | undefined, maxGas: number): bigint | null => {
  if (asked === undefined) return null
  const text = String(asked)
  if (!/^(0|[1-9][0-9]{0,8})$/.test(text) || Number(text) > maxGas)
    throw new ServiceError('INVALID_REQUEST', `body.originGasOverhead must be a whole number of gas, 0 to ${maxGas}`)
  return text === '0' ? null : BigInt(text)
}

/** A deposit to an address, or by a permit, is sent otherwise. */
const isOther = ({ body, requoteOf }: QuoteDraft): boolean =>
  requoteOf !== null || body.useDepositAddress === true || body.usePermit === true

/** What a deposit costs whose user has no gas (wire.md 1.2 originGasOverhead, F.1): the route pays for it. */
export const originGasQuotes = ({ fees, maxGas }: OriginGasQuotesDeps) => {
  const charged = new WeakMap<QuoteDraft, { readonly overhead: string; readonly amount: string }>()
  return defineQuoteExtension({
    name: 'origin-gas',
    bodySchema: OriginGasBody,
    phase: 'fees',
    apply: async (draft, body) => {
      const overhead = overheadOf(body.originGasOverhead, maxGas)
      const { origin, originNative, originCurrency, user } = draft
      const { originSender: sender } = origin.config
      if (overhead === null || sender === undefined || isOther(draft)) return
      const [ofDeposit, ofOverhead] = await Promise.all([
        fees.ofDeposit(origin, { user, currency: originCurrency.address }),
        fees.ofGas(origin, { sender, gas: overhead }),
      ])
      const amount = ofDeposit + ofOverhead
      draft.feeLines.push({ bucket: 'execution', payer: 'user', money: { currency: originNative, amount } })
      charged.set(draft, { overhead: overhead.toString(), amount: amount.toString() })
    },
    // Nothing is deposited without an order, and no fee is taken.
    quoted: (draft, { orderId }) => {
      const gas = charged.get(draft)
      return gas === undefined || orderId === null ? {} : { [ORIGIN_GAS_FIELD]: gas }
    },
  })
}
