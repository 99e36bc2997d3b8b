import { defineRoute, HttpError, type Route } from '@causeway/core/plugin'
import { readExecuteInput, requireFields } from './executeInput.js'
import { ExecuteAnswer, ExecuteBody, ExecuteRefusal } from './executeSchemas.js'
import type { ExecutionDesk } from './executionDesk.js'

const QUEUED = 'The call is queued'

/** `POST /execute` (wire.md 2.6). */
export const executeRoute = (desk: Pick<ExecutionDesk, 'execute'>): Route =>
  defineRoute({
    method: 'POST',
    path: '/execute',
    summary: 'Send a call for a user without gas',
    description:
      'Raw calls, EIP-7702 batches and ERC-4337 operations (a call of an entry point’s `handleOps`, with gas prices of zero). The call is simulated first and sent by an account that holds nothing but gas, through a contract that is new for each: `msg.sender` and `tx.origin` are nobody’s. With `requestId` it makes the deposit of a quote; without it is a request of its own. The same body again is the same request.',
    tags: ['gasless'],
    bucket: 'other',
    auth: 'required',
    changes: true,
    errors: 'execute',
    body: ExecuteBody,
    responses: { 200: ExecuteAnswer, 400: ExecuteRefusal },
    preValidate: requireFields,
    handler: async ({ body, caller, ctx }) => {
      if (caller.kind !== 'integrator') throw new HttpError(401, 'This operation needs an API key')
      const input = readExecuteInput(body)
      const requestId = await desk.execute({ input, caller, ip: ctx.ip, body: JSON.stringify(body) })
      return { message: QUEUED, requestId }
    },
  })
