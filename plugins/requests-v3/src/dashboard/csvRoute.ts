import {
  Content,
  ContentSchema,
  defineRoute,
  MANAGEMENT_REFUSALS,
  MANAGEMENT_ROUTE,
  MessageSchema,
  type RecordPosition,
  type RecordQuery,
  type Route,
  reply,
  tooManyRequests,
} from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { searchOf } from '../historyPage.js'
import { type HistoryScope, sessionScope } from '../historyScope.js'
import { withOwnerFields } from '../records/ownerFields.js'
import { CSV_HEADER, type CsvRecord, csvRow } from './csvRecord.js'
import { csvLines, textCell } from './csvText.js'
import { type SessionHistoryDeps, SessionHistoryQuery } from './historyRoute.js'

const PAGE = 250
/** Files made at once by a process: each holds its lines in memory and a connection for as long as it reads. */
const MOST_AT_ONCE = 2
const RETRY_SECONDS = 5
/** A search that finds few among many ends by then, as if there were too many. */
const BUDGET_MS = 15_000

interface CsvFile {
  readonly lines: string
  readonly rows: number
  readonly cut: boolean
}

/** Reads page after page until there are no more, or as many as a file may have. */
const readFile = async (
  deps: SessionHistoryDeps,
  query: RecordQuery,
  { scope, signal, most }: { readonly scope: HistoryScope; readonly signal: AbortSignal; readonly most: number },
): Promise<CsvFile> => {
  const parts: string[] = [csvLines([CSV_HEADER])]
  const until = performance.now() + BUDGET_MS
  let rows = 0
  let after: RecordPosition | null = null
  do {
    signal.throwIfAborted()
    const page = await deps.search.page({ ...query, limit: Math.min(PAGE, most - rows), after }, deps.texts.columns)
    const records = await withOwnerFields(deps, scope, await deps.texts.ofPage(deps.pool, page.rows))
    // CAST: the text was made by buildRecord, whose schema has all of it.
    parts.push(csvLines(records.map(({ text }) => csvRow(JSON.parse(text) as CsvRecord))))
    rows += records.length
    after = page.next
  } while (after !== null && rows < most && performance.now() < until)
  return { lines: parts.join(''), rows, cut: after !== null }
}

const cutLine = (rows: number): string =>
  csvLines([[textCell(`There are more than these ${rows} requests: ask for a shorter time or with more filters`)]])

/** `GET /dashboard/api/requests.csv`: the same requests for a spreadsheet. */
export const csvRoute = (deps: SessionHistoryDeps, most: number): Route => {
  let running = 0
  return defineRoute({
    ...MANAGEMENT_ROUTE,
    method: 'GET',
    path: '/dashboard/api/requests.csv',
    summary: 'Requests of the integrator as CSV',
    description: `Filters of \`GET /dashboard/api/requests\`. At most ${most} requests: where there are more, the header \`x-truncated\` is \`true\` and the last line says so.`,
    query: Type.Omit(SessionHistoryQuery, ['limit', 'continuation', 'includeTotal']),
    responses: {
      200: ContentSchema('text/csv'),
      400: MessageSchema,
      ...MANAGEMENT_REFUSALS,
      429: MessageSchema,
      503: MessageSchema,
    },
    authorize: deps.gate.member,
    handler: async ({ query, ctx }) => {
      const scope = sessionScope(deps.gate.scopeOf(ctx, query.integratorId), deps.ownership)
      const asked = await searchOf(deps, query, scope)
      if (running >= MOST_AT_ONCE) throw tooManyRequests(RETRY_SECONDS, 'Other files are being made; try again')
      running += 1
      try {
        const file = await readFile(deps, asked, { scope, signal: ctx.signal, most })
        const text = `${file.lines}${file.cut ? cutLine(file.rows) : ''}`
        return reply(new Content('text/csv; charset=utf-8', Buffer.from(text)), {
          headers: {
            'content-disposition': 'attachment; filename="requests.csv"',
            'x-truncated': String(file.cut),
          },
        })
      } finally {
        running -= 1
      }
    },
  })
}
