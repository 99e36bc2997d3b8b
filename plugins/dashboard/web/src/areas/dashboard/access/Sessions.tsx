import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../api/callApi.js'
import { whileShown } from '../../../api/queryClient.js'
import { Button } from '../../../components/controls/Button.js'
import { ConfirmDialog } from '../../../components/controls/Dialogs.js'
import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { toast } from '../../../components/feedback/Toasts.js'
import { Badge } from '../../../components/values/Badge.js'
import { Time } from '../../../components/values/Time.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'

const words = dashboardTexts.access.sessions
const PATH = '/dashboard/api/sessions'

interface OpenSession {
  readonly id: string
  readonly current: boolean
  readonly createdAt: string
  readonly seenAt: string
  readonly expiresAt: string
  readonly clientAddress: string
  readonly userAgent: string | null
}

const columns = (end: (session: OpenSession) => void): readonly Column<OpenSession>[] => [
  {
    id: 'where',
    tall: true,
    title: words.columns.where,
    width: 'minmax(0, 2fr)',
    wide: true,
    cell: ({ clientAddress, userAgent, current }) => (
      <div className="cell-two">
        <span className="row">
          <span className="mono">{clientAddress}</span>
          {current && <Badge tone="good">{words.current}</Badge>}
        </span>
        <span className="small faint cut" title={userAgent ?? ''}>
          {userAgent ?? words.unknownAgent}
        </span>
      </div>
    ),
  },
  {
    id: 'since',
    title: words.columns.since,
    width: '7rem',
    align: 'end',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  { id: 'seen', title: words.columns.seen, width: '7rem', align: 'end', cell: ({ seenAt }) => <Time at={seenAt} /> },
  {
    id: 'ends',
    title: words.columns.ends,
    width: '7rem',
    align: 'end',
    cell: ({ expiresAt }) => <Time at={expiresAt} />,
  },
  {
    id: 'end',
    title: words.columns.end,
    width: '5rem',
    align: 'end',
    cell: (session) => (
      <Button size="small" kind="danger" onClick={() => end(session)}>
        {words.end}
      </Button>
    ),
  },
]

/** Where the same wallet is signed in; each session can be ended. */
export const Sessions = () => {
  const client = useQueryClient()
  const [isAllOpen, setAllOpen] = useState(false)
  const list = useQuery({
    queryKey: [PATH],
    queryFn: async ({ signal }) => (await callApi<{ sessions: readonly OpenSession[] }>(PATH, { signal })).sessions,
    refetchInterval: whileShown(30_000),
  })
  const end = useMutation({
    mutationFn: ({ id }: OpenSession) => callApi(`${PATH}/${id}`, { method: 'DELETE' }),
    onSuccess: async (_answer, { current }) => {
      if (current) return location.assign('/dashboard')
      toast(words.ended)
      await client.invalidateQueries({ queryKey: [PATH] })
    },
    onError: (error) => toast(error.message, 'bad'),
  })
  return (
    <section className="stack" aria-label={words.list}>
      <div className="row between">
        <p className="soft">{words.lead}</p>
        <Button kind="danger" onClick={() => setAllOpen(true)}>
          {words.endAll}
        </Button>
      </div>
      <DataTable
        label={words.list}
        columns={columns((session) => end.mutate(session))}
        rows={list.data}
        rowKey={({ id }) => id}
        error={list.error}
        retry={() => void list.refetch()}
        leastWidth={760}
        empty={<EmptyState title={words.empty} />}
      />
      <ConfirmDialog
        open={isAllOpen}
        onClose={() => setAllOpen(false)}
        title={words.endAllTitle}
        lead={words.endAllLead}
        confirm={words.endAll}
        danger
        act={async () => {
          await callApi(PATH, { method: 'DELETE' })
          location.assign('/dashboard')
        }}
      />
    </section>
  )
}
