import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callApi } from '../../../api/callApi.js'
import { useSession } from '../../../api/useSession.js'
import { Button } from '../../../components/controls/Button.js'
import { Dialog } from '../../../components/controls/Dialogs.js'
import { TextField } from '../../../components/controls/Field.js'
import { EmptyState, FailedState, Skeleton } from '../../../components/feedback/States.js'
import { useAddress } from '../../../shell/address.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { texts } from '../../../texts/texts.js'

export interface Integrator {
  readonly id: string
  readonly name: string
  readonly createdAt: string
}

export interface IntegratorPage {
  readonly integrators: readonly Integrator[]
  readonly nextCursor: string | null
}

/** Whom an operator looks at, from page to page; the address of a page says it too. */
let remembered: { readonly id: string; readonly name: string | null } | null = null

/** Whose data the pages show: of the own integrator, or of the one an operator chose (null: everybody's). */
export const useScope = () => {
  const { values, change } = useAddress()
  const session = useSession().data
  const isOperator = session?.role === 'operator'
  const named = isOperator ? (values.integratorId ?? remembered?.id ?? null) : null
  if (isOperator && named !== null && remembered?.id !== named) remembered = { id: named, name: null }
  useEffect(() => {
    if (isOperator && named !== null && values.integratorId === undefined) change({ integratorId: named })
  }, [isOperator, named, values.integratorId, change])
  const choose = (integrator: Pick<Integrator, 'id' | 'name'> | null) => {
    remembered = integrator
    change({ integratorId: integrator?.id ?? null })
  }
  return {
    isOperator,
    integratorId: named,
    /** What every call is given. */
    query: named === null ? {} : { integratorId: named },
    /** Whether there is one whose data it is: an operator without one has to choose. */
    hasOwner: named !== null || session?.integrator != null,
    name: named === null ? (session?.integrator?.name ?? null) : remembered?.id === named ? remembered.name : null,
    choose,
  }
}

/** For operators: whose data the page shows. */
export const IntegratorPicker = () => {
  const scope = useScope()
  const [isOpen, setOpen] = useState(false)
  if (!scope.isOperator) return null
  const words = dashboardTexts.scope
  const shown = scope.integratorId === null ? words.everybody : (scope.name ?? scope.integratorId.slice(0, 8))
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)} aria-haspopup="dialog">
        <span className="soft">{words.of}</span>
        <span className="cut scope-name">{shown}</span>
      </Button>
      <PickerDialog open={isOpen} onClose={() => setOpen(false)} choose={scope.choose} />
    </>
  )
}

const PickerDialog = ({
  open,
  onClose,
  choose,
}: {
  readonly open: boolean
  onClose(): void
  choose(integrator: Integrator | null): void
}) => {
  const [search, setSearch] = useState('')
  const words = dashboardTexts.scope
  const then = (integrator: Integrator | null) => () => {
    choose(integrator)
    onClose()
  }
  return (
    <Dialog open={open} onClose={onClose} title={words.title} lead={words.lead}>
      <TextField
        label={words.search}
        value={search}
        onChange={({ target }) => setSearch(target.value)}
        maxLength={100}
        autoFocus
      />
      <Button onClick={then(null)}>{words.everybody}</Button>
      <Found search={search} choose={(integrator) => then(integrator)()} />
    </Dialog>
  )
}

const Found = ({ search, choose }: { readonly search: string; choose(integrator: Integrator): void }) => {
  const list = useInfiniteQuery({
    queryKey: ['integrators', search],
    queryFn: ({ pageParam, signal }) =>
      callApi<IntegratorPage>('/dashboard/api/integrators', {
        query: { search, cursor: pageParam, limit: 20 },
        signal,
      }),
    // CAST: the pages are named by text, and the first by null.
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  if (list.data === undefined)
    return list.error ? <FailedState error={list.error} retry={() => void list.refetch()} /> : <Skeleton lines={5} />
  const found = list.data.pages.flatMap(({ integrators }) => integrators)
  if (found.length === 0) return <EmptyState title={dashboardTexts.scope.none} />
  return (
    <ul className="pick-list">
      {found.map((integrator) => (
        <li key={integrator.id}>
          <button type="button" onClick={() => choose(integrator)}>
            <span className="cut">{integrator.name}</span>
            <span className="mono faint small">{integrator.id.slice(0, 8)}</span>
          </button>
        </li>
      ))}
      {list.hasNextPage && (
        <li>
          <Button size="small" onClick={() => void list.fetchNextPage()} disabled={list.isFetchingNextPage}>
            {texts.data.more}
          </Button>
        </li>
      )}
    </ul>
  )
}

/** In place of what is of one integrator, for an operator who has chosen none. */
export const ChooseFirst = () => (
  <div className="table">
    <EmptyState title={dashboardTexts.scope.chooseFirst}>
      <IntegratorPicker />
    </EmptyState>
  </div>
)
