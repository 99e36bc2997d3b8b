import { defineRoute, type Route, reply } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import type { Pool } from 'pg'

const Answer = Type.Object({ status: Type.Union([Type.Literal('ok'), Type.Literal('error')]) })
const PATIENCE_MS = 2_000

const answers = (pool: Pool): Promise<boolean> =>
  Promise.race([
    pool.query('select 1').then(
      () => true,
      () => false,
    ),
    new Promise<boolean>((done) => setTimeout(() => done(false), PATIENCE_MS).unref()),
  ])

/** `GET /lives` of a process that serves no API, or of a deployment without the plugin that answers it (wire.md 4.14). */
export const livesRoute = (pool: Pool): Route =>
  defineRoute({
    method: 'GET',
    path: '/lives',
    summary: 'Whether the process works',
    bucket: 'none',
    auth: 'none',
    responses: { 200: Answer, 503: Answer },
    alwaysServed: true,
    handler: async () => {
      const works = await answers(pool)
      return reply({ status: works ? 'ok' : 'error' }, { status: works ? 200 : 503 })
    },
  })
