import type { StreamParts } from '@causeway/core/chain-kit'

const TYPE = 'userNonFundingLedgerUpdates'

/** Websocket messages about an account. Each is a hint to read the account's list. */
export const updatesStream = (user: string): StreamParts => ({
  topics: [{ call: { method: 'subscribe', params: [{ type: TYPE, user }] } }],
  dialect: () => ({
    write: ({ method, params: [subscription] }) => ({ method, subscription }),
    read: (message) => {
      const channel: unknown = Reflect.get(message, 'channel')
      if (channel === 'subscriptionResponse') return { accepted: 0 }
      return channel === TYPE ? { topic: 0, result: null } : null
    },
  }),
})
