import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../../api/callApi.js'
import { whileShown } from '../../../api/queryClient.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { texts } from '../../../texts/texts.js'
import { REQUESTS_PATH } from '../requests/RequestTable.js'

const words = dashboardTexts.overview.stats
const DAY = 86_400
const REFRESH_MS = 60_000

const FILTERS = {
  all: [],
  success: [{ status: 'success' }],
  open: [{ status: ['pending', 'depositing'] }],
  trouble: [{ status: ['failure', 'refund'] }],
} as const

const countOf = async (
  filters: readonly object[],
  scope: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<number | null> => {
  const query = {
    ...scope,
    limit: 1,
    includeTotal: true,
    startTimestamp: Math.floor(Date.now() / 1000) - DAY,
    ...(filters.length === 0 ? {} : { filters: JSON.stringify(filters) }),
  }
  const { total } = await callApi<{ total?: number }>(REQUESTS_PATH, { query, signal })
  return total ?? null
}

/** How the last day went. A number that cannot be had in time is left out, not guessed. */
export const Counts = ({
  scope,
  keysInUse,
}: {
  readonly scope: Readonly<Record<string, string>>
  readonly keysInUse: number | null
}) => {
  const counts = useQuery({
    queryKey: [REQUESTS_PATH, 'counts', scope],
    queryFn: async ({ signal }) => {
      const [all, success, open, trouble] = await Promise.all(
        [FILTERS.all, FILTERS.success, FILTERS.open, FILTERS.trouble].map((filters) => countOf(filters, scope, signal)),
      )
      return { all, success, open, trouble }
    },
    refetchInterval: whileShown(REFRESH_MS),
    retry: false,
  })
  const shown = [
    [words.all, counts.data?.all, words.last],
    [words.success, counts.data?.success, words.last],
    [words.open, counts.data?.open, words.last],
    [words.trouble, counts.data?.trouble, words.last],
    [words.keys, keysInUse, null],
  ] as const
  return (
    <dl className="grid stats">
      {shown.map(([name, count, note]) => (
        <div key={name} className="stat">
          <dt>{name}</dt>
          <dd>{count == null ? texts.data.none : count.toLocaleString()}</dd>
          {note !== null && <dd className="small">{note}</dd>}
        </div>
      ))}
    </dl>
  )
}
