import type { Clock } from '@causeway/core'
import { defineRoute, HttpError, MessageSchema, type Route, reply, tooManyRequests } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { ACTS } from './localCalls.js'
import type { RunningSandbox } from './runningSandbox.js'

/** Time for the answer to leave, and the log to be written: the process is gone at once then. */
const LEAVE_MS = 250
const EVERY_MS = 10_000

export interface KillRouteDeps {
  readonly sandbox: Pick<RunningSandbox, 'usable' | 'isKept'>
  readonly clock: Clock
  /** Ends this process without a word. */
  kill(): void
  /** Begins to write the log out: the process ends before it would. */
  flushLog(): void
}

const KillAnswer = Type.Object(
  { pid: Type.Integer({ description: 'Of the process that ends now.' }) },
  { title: 'TryKilled' },
)

/** `POST /try/api/kill`: ends the host as a power cut would; its supervisor starts it again. */
export const killRoute = ({ sandbox, clock, kill, flushLog }: KillRouteDeps): Route => {
  let isDying = false
  return defineRoute({
    ...ACTS,
    path: '/try/api/kill',
    summary: 'Kill the host',
    description:
      'Ends the process (SIGKILL) once the answer has left. The sandbox starts it again. Once in ten seconds.',
    body: Type.Object({}, { additionalProperties: false }),
    responses: { 202: KillAnswer, 403: MessageSchema, 409: MessageSchema, 429: MessageSchema },
    handler: ({ ctx }) => {
      const { hostStarts } = sandbox.usable()
      if (!sandbox.isKept())
        throw new HttpError(409, 'Nobody would start this host again: the supervisor of the sandbox is not there')
      // A host that was started again is at most as old as the last kill is long ago.
      const isAgain = (hostStarts?.count ?? 1) > 1
      const leftMs = isAgain ? Date.parse(hostStarts?.lastAt ?? '') + EVERY_MS - clock.now() : 0
      if (isDying || leftMs > 0)
        throw tooManyRequests(
          Math.max(leftMs, 1_000) / 1_000,
          'The host was killed a moment ago; try again in a few seconds',
        )
      isDying = true
      ctx.log.warn({ pid: process.pid }, 'the host is killed, as the page of the sandbox asked')
      flushLog()
      setTimeout(kill, LEAVE_MS)
      return reply({ pid: process.pid }, { status: 202 })
    },
  })
}
