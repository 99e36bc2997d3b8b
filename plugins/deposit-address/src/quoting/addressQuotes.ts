import { type Clock, destinationText, ServiceError } from '@causeway/core'
import type { DerivedAddress } from '@causeway/core/chain'
import { addressParts, defineQuoteExtension, type FeeLine, type QuoteDraft } from '@causeway/core/plugin'
import { AddressBody, checkAddressBody } from './addressBody.js'
import { type AddressGiver, addressesOf } from './addressGiver.js'
import { type AddressRequest, readAddressRequest } from './addressRequest.js'
import type { SweepFees } from './sweepFees.js'

export interface AddressQuotesDeps {
  readonly giver: AddressGiver
  readonly fees: SweepFees
  readonly clock: Clock
  /** Seconds that an order of an address stands. */
  readonly lifeSeconds: number
}

/** The sweep is the user's to pay, with what the service charges for its own work: no destination gas is in it. */
const sweepLine = async (fees: SweepFees, { origin, originCurrency, originNative }: QuoteDraft): Promise<FeeLine> => {
  const { network } = await fees.of(origin, originCurrency.address)
  if (network.currency !== originNative.address) {
    throw new Error(`Chain ${origin.config.id} charges for sweeps in another than its native currency`)
  }
  return { bucket: 'execution', payer: 'user', money: { currency: originNative, amount: network.amount } }
}

/** Quotes that are paid by a plain transfer to an address of their own (wire.md E). */
export const addressQuotes = ({ giver, fees, clock, lifeSeconds }: AddressQuotesDeps) => {
  const requests = new WeakMap<QuoteDraft, AddressRequest>()
  const given = new WeakMap<QuoteDraft, DerivedAddress>()
  const isUsed = ({ body, requoteOf }: QuoteDraft): boolean =>
    requoteOf !== null || (body as AddressBody).useDepositAddress === true
  return defineQuoteExtension({
    name: 'deposit-address',
    bodySchema: AddressBody,
    phase: 'resolve',
    conditions: (body) => {
      if (body.useDepositAddress !== true) return null
      // CAST: the whole body, of which the schema names what is read here first.
      checkAddressBody(body as QuoteDraft['body'])
      return { plainDeposit: true, anyUser: true, namedRefund: true }
    },
    apply: async (draft, body) => {
      if (!isUsed(draft)) return
      addressesOf(draft.origin)
      if (draft.requoteOf === null) requests.set(draft, readAddressRequest(draft, body))
      draft.orderSeconds = lifeSeconds
      draft.wholeDeposit = true
      draft.feeLines.push(await sweepLine(fees, draft))
    },
    priced: (draft, { destinationSwap }) => {
      const request = requests.get(draft)
      if (request === undefined || !destinationSwap || request.refundTo !== null) return
      throw new ServiceError(
        'INVALID_REQUEST',
        'body.refundTo is needed: on this route a swap follows the deposit, which may fail',
      )
    },
    terms: (draft) => {
      const request = requests.get(draft)
      if (request === undefined) return {}
      return { address: { type: request.type, refundToSender: request.refundToSender } }
    },
    deposit: async (draft, { orderId }, { money, userPublicKey }) => {
      if (!requests.has(draft)) return null
      if (orderId === null) throw new Error('A quote that is paid to an address has an order')
      const { origin, user, holder } = draft
      const terms = { orderId, depositor: user }
      const address = await giver.give({ chain: origin, terms, holder }, clock.now())
      given.set(draft, address)
      const { destination } = address
      return {
        address: destinationText(destination),
        build: () =>
          addressesOf(origin).buildPayment({
            from: user,
            to: destination,
            money,
            ...(userPublicKey === undefined ? {} : { userPublicKey }),
          }),
      }
    },
    features: (draft) => (isUsed(draft) ? ['deposit_address'] : []),
    quoted: (draft) => {
      const [request, address] = [requests.get(draft), given.get(draft)]
      if (request === undefined || address === undefined) return {}
      return { depositAddress: { address: destinationText(address.destination), type: request.type } }
    },
    persist: (draft, { requestId, orderId, orderDeadline }) => {
      const [request, address] = [requests.get(draft), given.get(draft)]
      if (request === undefined || address === undefined || orderId === null) return []
      const { type, refundTo, recoveryAddress } = request
      const facts = {
        ...address,
        ...{ type, refundTo, recoveryAddress, requestId, orderId },
        chainId: draft.origin.config.id,
        depositor: draft.user,
        currency: draft.originCurrency.address,
        liveUntil: orderDeadline,
        holder: draft.holder,
      }
      return addressParts(facts, clock.now())
    },
  })
}
