import { defineRoute, MessageSchema, type Route } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { readHostLog } from './hostLog.js'
import { READS } from './localCalls.js'
import type { RunningSandbox } from './runningSandbox.js'

const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const LogAnswer = Type.Object(
  {
    lines: Type.Array(
      Type.Object({
        at: nullableText('ISO 8601.'),
        level: nullableText('`info`, `warn`, `error`.'),
        text: Type.String(),
      }),
    ),
    next: Type.Integer({ minimum: 0, description: '`after` of the next call.' }),
  },
  { title: 'TryLog' },
)

/** `GET /try/api/log`: the last lines of the host's log. */
export const logRoute = (sandbox: RunningSandbox): Route =>
  defineRoute({
    ...READS,
    path: '/try/api/log',
    summary: 'The last lines of the log',
    description: 'At most 200 lines, without secrets; those of before a kill too.',
    query: Type.Object({
      after: Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: '`next` of the answer before.',
      }),
    }),
    responses: { 200: LogAnswer, 403: MessageSchema },
    handler: ({ query }) => {
      const { accounts, apiKey, databaseUrl } = sandbox.state()
      const secrets = [apiKey, databaseUrl, ...accounts.map(({ privateKey }) => privateKey)]
      return readHostLog(sandbox.paths.hostLog, { after: query.after, secrets: secrets.filter((text) => text !== '') })
    },
  })
