import { defineRoute, MessageSchema, type Route } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'

/** An operation to be described. */
export const ferry: Route = defineRoute({
  method: 'POST',
  path: '/ferries/:ferryId',
  summary: 'Sends a ferry across',
  tags: ['ferries'],
  bucket: 'other',
  auth: 'optional',
  body: Type.Object({ passengers: Type.Integer() }),
  responses: { 200: MessageSchema },
  handler: () => ({ message: 'Sent' }),
})
