import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/controls/Button.js'
import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { Badge } from '../../../components/values/Badge.js'
import { Time } from '../../../components/values/Time.js'
import { PageHead } from '../../../shell/PageHead.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { texts } from '../../../texts/texts.js'
import { useCursorList } from '../data/cursorList.js'
import { type ApiKey, KEYS_PATH, type KeyPage, keyName } from '../data/keys.js'
import { IntegratorPicker, useScope } from '../data/scope.js'
import { CreateKey } from './CreateKey.js'
import { ImportKey } from './ImportKey.js'
import { KeyBadges } from './KeyBadges.js'
import { OneKeyPage } from './OneKeyPage.js'

const words = dashboardTexts.keys

/** `/dashboard/keys`: the list, or one of them. */
export const KeysPage = ({ id }: { readonly id: string | null }) => (id === null ? <KeyList /> : <OneKeyPage id={id} />)

const COLUMNS: readonly Column<ApiKey>[] = [
  {
    id: 'label',
    title: words.columns.label,
    width: 'minmax(0, 1.3fr)',
    wide: true,
    cell: (key) => (
      <span className="cut strong" title={keyName(key)}>
        {keyName(key)}
      </span>
    ),
  },
  {
    id: 'start',
    title: words.columns.start,
    cell: ({ prefix }) => <span className="mono cut">{prefix === null ? texts.data.none : `${prefix}…`}</span>,
  },
  {
    id: 'state',
    title: words.columns.state,
    width: 'minmax(0, 1.6fr)',
    wide: true,
    cell: (key) => (
      <span className="row">
        {key.revokedAt === null && <Badge tone="good">{words.states.live}</Badge>}
        <KeyBadges apiKey={key} />
      </span>
    ),
  },
  {
    id: 'used',
    title: words.columns.used,
    width: '7rem',
    align: 'end',
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? <span className="faint">{words.never}</span> : <Time at={lastUsedAt} />,
  },
  {
    id: 'made',
    title: words.columns.made,
    width: '7rem',
    align: 'end',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
]

const KeyList = () => {
  const scope = useScope()
  const client = useQueryClient()
  const [dialog, setDialog] = useState<'create' | 'import' | null>(null)
  const { table } = useCursorList<KeyPage, ApiKey>({
    path: KEYS_PATH,
    query: { ...scope.query, limit: 50 },
    rowsOf: ({ keys }) => keys,
    nextOf: ({ nextCursor }) => nextCursor,
  })
  const changed = () => client.invalidateQueries({ queryKey: [KEYS_PATH] })
  const create = (
    <Button kind="primary" onClick={() => setDialog('create')}>
      <Plus aria-hidden />
      {words.create}
    </Button>
  )
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <IntegratorPicker />
        {scope.isOperator && <Button onClick={() => setDialog('import')}>{words.import}</Button>}
        {create}
      </PageHead>
      <DataTable
        label={words.list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/dashboard/keys/${id}`}
        leastWidth={760}
        empty={
          <EmptyState title={words.empty}>
            <p>{words.emptyHow}</p>
            {create}
          </EmptyState>
        }
        {...table}
      />
      <CreateKey open={dialog === 'create'} onClose={() => setDialog(null)} made={changed} />
      <ImportKey open={dialog === 'import'} onClose={() => setDialog(null)} made={changed} />
    </>
  )
}
