import { type OpenTransport, transportError } from '@causeway/core/chain-kit'
import type { Answering } from './simTransport.js'

/** Carries requests to the nodes of a ledger and answers at once, however long it would take: for tests without a clock. */
export const directTransport =
  (ledger: Answering): OpenTransport =>
  ({ url }) => ({
    send: async ({ body }) => {
      const { fate, text } = ledger.answer(url, body?.text ?? '')
      if (fate !== 'answered') throw transportError(new Error(`The connection was ${fate}`), fate === 'silent')
      return { status: 200, body: Buffer.from(text) }
    },
    close: () => undefined,
  })
