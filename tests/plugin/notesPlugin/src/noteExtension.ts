import { ServiceError } from '@causeway/core'
import type { Price, StepItemDraft } from '@causeway/core/chain'
import {
  amountForUsd,
  amountObject,
  defineQuoteExtension,
  type QuoteDraft,
  type QuoteIds,
  RULE_KEYWORD,
  type Usd,
} from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { noteDigest } from './note.js'
import { insertNote } from './noteTable.js'

const NoteBody = Type.Object({
  note: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 140,
      [RULE_KEYWORD]: 'must be a text of 1 to 140 characters',
      description: 'Travels with the transfer; signed by the sender',
    }),
  ),
})

/** A note and the price at which its fee was counted. */
interface PricedNote {
  readonly note: string
  readonly price: Price
}

/** The sender signs before the deposit; the client posts the signature to this plugin (wire.md A.4). */
const signatureStep = (note: string, { requestId }: QuoteIds): StepItemDraft => ({
  stepId: 'authorize',
  kind: 'signature',
  action: 'Sign your note',
  description: 'Shows the recipient that the note is yours',
  data: {
    sign: { signatureKind: 'eip191', message: noteDigest(note, requestId) },
    post: { endpoint: `/notes/${requestId}/signature`, method: 'POST', body: {} },
  },
})

/** A note that travels with a transfer, for a fee. */
export const noteExtension = (feeUsd: Usd) => {
  // What belongs to one quote is kept by its draft.
  const notes = new WeakMap<QuoteDraft, PricedNote>()
  const feeOf = ({ originCurrency: currency }: QuoteDraft, { usd }: Price) => ({
    currency,
    amount: amountForUsd(feeUsd, currency, usd, 'up'),
  })
  return defineQuoteExtension({
    name: 'notes',
    bodySchema: NoteBody,
    phase: 'fees',
    apply: async (draft, { note }) => {
      if (note === undefined) return
      if (draft.origin.adapter.vmType !== 'evm') {
        throw new ServiceError('INVALID_REQUEST', 'body.note needs an origin chain whose accounts sign messages')
      }
      const [price] = await draft.prices([draft.originCurrency])
      if (price === undefined) throw new Error('Prices answers for each currency it is asked for')
      notes.set(draft, { note, price })
      draft.feeLines.push({ bucket: 'platform', payer: 'user', money: feeOf(draft, price) })
    },
    steps: (draft, ids) => {
      const kept = notes.get(draft)
      return kept === undefined ? [] : [signatureStep(kept.note, ids)]
    },
    details: (draft) => {
      const kept = notes.get(draft)
      if (kept === undefined) return {}
      const { note, price } = kept
      return { note: { text: note, fee: amountObject(feeOf(draft, price), price.usd) } }
    },
    response: (draft) => (notes.has(draft) ? { notes: { endpoint: '/notes' } } : {}),
    persist: (draft, { requestId }) => {
      const kept = notes.get(draft)
      return kept === undefined ? [] : [insertNote(requestId, draft.user, kept.note)]
    },
  })
}
