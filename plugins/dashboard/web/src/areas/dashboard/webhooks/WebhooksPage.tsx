import { Button } from '../../../components/controls/Button.js'
import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { Time } from '../../../components/values/Time.js'
import { AppLink } from '../../../shell/AppLink.js'
import { PageHead } from '../../../shell/PageHead.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { useCursorList } from '../data/cursorList.js'
import { type ApiKey, KEYS_PATH, type KeyPage, keyName } from '../data/keys.js'
import { IntegratorPicker, useScope } from '../data/scope.js'
import { KeyBadges } from '../keys/KeyBadges.js'
import { EndpointPage } from './EndpointPage.js'

const words = dashboardTexts.webhooks

/** `/dashboard/webhooks`: the keys to choose from, or the endpoint of one. */
export const WebhooksPage = ({ id }: { readonly id: string | null }) =>
  id === null ? <ChooseKey /> : <EndpointPage keyId={id} />

const COLUMNS: readonly Column<ApiKey>[] = [
  {
    id: 'key',
    title: words.columns.key,
    width: 'minmax(0, 2fr)',
    wide: true,
    cell: (key) => (
      <span className="row">
        <span className="cut strong">{keyName(key)}</span>
        <KeyBadges apiKey={{ ...key, trusted: false, elevated: false }} />
      </span>
    ),
  },
  { id: 'made', title: words.columns.made, align: 'end', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

const ChooseKey = () => {
  const scope = useScope()
  const { table } = useCursorList<KeyPage, ApiKey>({
    path: KEYS_PATH,
    query: { ...scope.query, limit: 50 },
    rowsOf: ({ keys }) => keys,
    nextOf: ({ nextCursor }) => nextCursor,
  })
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <IntegratorPicker />
      </PageHead>
      <h2>{words.choose}</h2>
      <DataTable
        label={words.list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/dashboard/webhooks/${id}`}
        empty={
          <EmptyState title={words.empty}>
            <p>{words.emptyHow}</p>
            <Button asChild>
              <AppLink to="/dashboard/keys">{words.toKeys}</AppLink>
            </Button>
          </EmptyState>
        }
        {...table}
      />
    </>
  )
}
