import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { callApi } from '../../../api/callApi.js'
import { Button } from '../../../components/controls/Button.js'
import { ConfirmDialog } from '../../../components/controls/Dialogs.js'
import { TextField } from '../../../components/controls/Field.js'
import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { toast } from '../../../components/feedback/Toasts.js'
import { Copyable } from '../../../components/values/Copyable.js'
import { Time } from '../../../components/values/Time.js'
import { AppLink } from '../../../shell/AppLink.js'
import { useAddress } from '../../../shell/address.js'
import { withFreshSignIn } from '../../../shell/session/SignInAgain.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { useCursorList } from '../data/cursorList.js'
import type { Integrator, IntegratorPage } from '../data/scope.js'

const words = dashboardTexts.access.integrators
const PATH = '/dashboard/api/integrators'

const COLUMNS: readonly Column<Integrator>[] = [
  {
    id: 'name',
    title: words.columns.name,
    width: 'minmax(0, 1.4fr)',
    wide: true,
    cell: ({ name }) => (
      <span className="cut strong" title={name}>
        {name}
      </span>
    ),
  },
  { id: 'id', title: words.columns.id, cell: ({ id }) => <Copyable text={id} what={words.id} short /> },
  {
    id: 'made',
    title: words.columns.made,
    width: '7rem',
    align: 'end',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    id: 'look',
    title: words.columns.look,
    width: '7rem',
    align: 'end',
    cell: ({ id }) => (
      <AppLink to="/dashboard/keys" search={{ integratorId: id }}>
        {words.look}
      </AppLink>
    ),
  },
]

/** For operators: who there is, and one more. */
export const Integrators = () => {
  const { values, change } = useAddress()
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const search = values.search ?? ''
  const { table } = useCursorList<IntegratorPage, Integrator>({
    path: PATH,
    query: { search, limit: 50 },
    rowsOf: ({ integrators }) => integrators,
    nextOf: ({ nextCursor }) => nextCursor,
  })
  const act = async () => {
    await withFreshSignIn(() => callApi(PATH, { method: 'POST', body: { name: name.trim() } }))
    setName('')
    setOpen(false)
    toast(words.made)
    await client.invalidateQueries({ queryKey: [PATH] })
  }
  return (
    <section className="stack" aria-label={words.list}>
      <div className="filter-row">
        <TextField
          label={words.search}
          type="search"
          value={search}
          maxLength={100}
          onChange={({ target }) => change({ search: target.value })}
        />
        <Button kind="primary" onClick={() => setOpen(true)}>
          <Plus aria-hidden />
          {words.create}
        </Button>
      </div>
      <DataTable
        label={words.list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        leastWidth={700}
        empty={
          <EmptyState title={words.empty}>
            <p>{words.emptyHow}</p>
          </EmptyState>
        }
        {...table}
      />
      <ConfirmDialog open={isOpen} onClose={() => setOpen(false)} title={words.create} confirm={words.create} act={act}>
        <TextField
          label={words.name}
          hint={words.nameHint}
          value={name}
          maxLength={100}
          required
          onChange={({ target }) => setName(target.value)}
        />
      </ConfirmDialog>
    </section>
  )
}
