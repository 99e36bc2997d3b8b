import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { ApiFailure } from '../../../api/callApi.js'
import { Button } from '../../../components/controls/Button.js'
import { TextField } from '../../../components/controls/Field.js'
import { TabPages } from '../../../components/controls/TabPages.js'
import { EmptyState, Loaded } from '../../../components/feedback/States.js'
import { Badge } from '../../../components/values/Badge.js'
import { shortened } from '../../../components/values/Copyable.js'
import { Json } from '../../../components/values/Json.js'
import { PageHead } from '../../../shell/PageHead.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { readCommand } from '../commands.js'
import { explainHref } from '../parts/hrefs.js'
import { SameOnTerminal } from '../parts/SameOnTerminal.js'
import { useAddressState } from '../parts/useAddressState.js'
import { Everything } from './Everything.js'
import type { Explanation } from './explanation.js'

const words = consoleTexts.explain
const LIMITS: readonly string[] = ['5', '25', '100']
const USUAL = '5'

const Look = ({ id }: { readonly id: string | null }) => {
  const navigate = useNavigate()
  const [text, setText] = useState(id ?? '')
  const sought = text.trim()
  return (
    <form
      className="filter look"
      onSubmit={(event) => {
        event.preventDefault()
        if (sought !== '') void navigate({ to: explainHref(sought) })
      }}
    >
      <TextField
        label={words.field}
        hint={words.hint}
        value={text}
        maxLength={200}
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit" kind="primary" disabled={sought === ''}>
        <Search aria-hidden />
        {words.look}
      </Button>
    </form>
  )
}

const isEmpty = (found: Explanation): boolean =>
  found.wallet === null &&
  [found.requests, found.parkedDeposits, found.unpaidQuotes, found.addresses, found.importedTransactions].every(
    (list) => list.length === 0,
  )

const Found = ({ id }: { readonly id: string }) => {
  const [{ limit = USUAL, view = 'shown' }, change] = useAddressState()
  const call = { name: 'explain', arguments: [id], options: limit === USUAL ? {} : { limit } }
  const query = useQuery({ ...readCommand<Explanation>(call), placeholderData: keepPreviousData })
  const next = LIMITS[LIMITS.indexOf(limit) + 1]
  // The command refuses what it does not know, in its own words.
  if (query.error instanceof ApiFailure && query.error.status === 409)
    return (
      <EmptyState title={words.nothing}>
        <p className="wrap">{query.error.message}</p>
        <p>{words.nothingMore}</p>
      </EmptyState>
    )
  return (
    <Loaded query={query} lines={12}>
      {(found) => (
        <>
          <div className="row">
            <span className="soft">{words.meanings}</span>
            {found.meanings.map((meaning) => (
              <Badge key={meaning}>{meaning}</Badge>
            ))}
          </div>
          <TabPages
            label={words.title}
            value={view}
            onChange={(chosen) => change({ view: chosen === 'shown' ? null : chosen })}
            pages={[
              {
                id: 'shown',
                title: words.all,
                content: isEmpty(found) ? (
                  <EmptyState title={words.nothing}>
                    <p>{words.nothingMore}</p>
                  </EmptyState>
                ) : (
                  <Everything found={found} />
                ),
              },
              { id: 'raw', title: words.raw, content: <Json value={found} /> },
            ]}
          />
          {found.more && (
            <div className="row">
              <span className="soft">{words.more}</span>
              {next !== undefined && (
                <Button size="small" onClick={() => change({ limit: next })}>
                  {words.showMore}
                </Button>
              )}
            </div>
          )}
          <SameOnTerminal call={call} />
        </>
      )}
    </Loaded>
  )
}

/** Everything that is known of an id. */
export const ExplainPage = ({ id }: { readonly id: string | null }) => (
  <>
    <PageHead title={id === null ? words.title : shortened(id, 28)} lead={id === null ? words.lead : undefined} />
    <Look id={id} />
    {id === null ? (
      <EmptyState title={words.firstTitle}>
        <p>{words.first}</p>
      </EmptyState>
    ) : (
      <Found id={id} />
    )}
  </>
)
