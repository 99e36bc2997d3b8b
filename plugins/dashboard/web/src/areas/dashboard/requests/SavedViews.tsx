import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Bookmark } from 'lucide-react'
import { useState } from 'react'
import { callApi } from '../../../api/callApi.js'
import { Button } from '../../../components/controls/Button.js'
import { ConfirmDialog, Dialog } from '../../../components/controls/Dialogs.js'
import { TextField } from '../../../components/controls/Field.js'
import { Menu } from '../../../components/controls/Menu.js'
import { Notice } from '../../../components/feedback/Notice.js'
import { toast } from '../../../components/feedback/Toasts.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { texts } from '../../../texts/texts.js'

const words = dashboardTexts.requests.views
const PATH = '/dashboard/api/views'

interface SavedView {
  readonly id: string
  readonly name: string
  readonly page: string
  readonly query: Readonly<Record<string, string | number | boolean>>
}

const useViews = () => {
  const client = useQueryClient()
  const query = useQuery({
    queryKey: [PATH],
    queryFn: async () => (await callApi<{ views: readonly SavedView[] }>(PATH)).views,
    staleTime: 60_000,
  })
  return { views: query.data ?? [], error: query.error, changed: () => client.invalidateQueries({ queryKey: [PATH] }) }
}

export interface SavedViewsProps {
  /** Filters and order of now. */
  readonly search: Readonly<Record<string, string>>
  open(search: Readonly<Record<string, string>>): void
}

/** Filters under a name: opened, saved, renamed, removed. */
export const SavedViews = ({ search, open }: SavedViewsProps) => {
  const { views, changed } = useViews()
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null)
  const [name, setName] = useState('')
  const isOpen = (view: SavedView) => sameQuery(textQuery(view), search)
  return (
    <>
      <Menu
        label={words.label}
        trigger={
          <Button>
            <Bookmark aria-hidden />
            <span className="cut view-name">{views.find(isOpen)?.name ?? words.label}</span>
          </Button>
        }
        items={[
          { text: words.all, act: () => open({}) },
          ...views.map((view) => ({ text: view.name, checked: isOpen(view), act: () => open(textQuery(view)) })),
          { text: words.save, act: () => setDialog('save') },
          { text: words.change, act: () => setDialog('manage') },
        ]}
      />
      <ConfirmDialog
        open={dialog === 'save'}
        onClose={() => setDialog(null)}
        title={words.title}
        lead={words.lead}
        confirm={texts.data.save}
        act={async () => {
          await callApi(PATH, { method: 'POST', body: { name, page: 'requests', query: search } })
          await changed()
          setName('')
          setDialog(null)
          toast(words.saved)
        }}
      >
        <TextField
          label={words.name}
          value={name}
          onChange={({ target }) => setName(target.value)}
          required
          maxLength={100}
        />
      </ConfirmDialog>
      <Dialog open={dialog === 'manage'} onClose={() => setDialog(null)} title={words.manage} lead={words.manageLead}>
        {views.length === 0 && <p className="soft">{words.none}</p>}
        {views.map((view) => (
          <ViewLine key={view.id} view={view} search={search} changed={changed} />
        ))}
        <div className="dialog-end">
          <Button onClick={() => setDialog(null)}>{texts.data.close}</Button>
        </div>
      </Dialog>
    </>
  )
}

const textQuery = ({ query }: SavedView): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))

const sameQuery = (left: Readonly<Record<string, string>>, right: Readonly<Record<string, string>>): boolean =>
  Object.keys(left).length === Object.keys(right).length &&
  Object.entries(left).every(([name, value]) => right[name] === value)

interface ViewLineProps {
  readonly view: SavedView
  readonly search: Readonly<Record<string, string>>
  changed(): Promise<void>
}

const ViewLine = ({ view, search, changed }: ViewLineProps) => {
  const [name, setName] = useState(view.name)
  const [trouble, setTrouble] = useState<string | null>(null)
  const attempt = async (said: string, work: () => Promise<unknown>) => {
    setTrouble(null)
    try {
      await work()
      await changed()
      toast(said)
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : String(error))
    }
  }
  const put = (body: object) =>
    callApi(`${PATH}/${view.id}`, {
      method: 'PUT',
      body: { name: view.name, page: view.page, query: view.query, ...body },
    })
  return (
    <div className="tight view-line">
      <TextField label={words.name} value={name} onChange={({ target }) => setName(target.value)} maxLength={100} />
      <div className="row">
        <Button
          size="small"
          disabled={name.trim() === '' || name === view.name}
          onClick={() => void attempt(words.replaced, () => put({ name }))}
        >
          {words.rename}
        </Button>
        <Button size="small" onClick={() => void attempt(words.replaced, () => put({ query: search }))}>
          {words.replace}
        </Button>
        <Button
          size="small"
          kind="danger"
          onClick={() => void attempt(words.removed, () => callApi(`${PATH}/${view.id}`, { method: 'DELETE' }))}
        >
          {words.remove}
        </Button>
      </div>
      {trouble !== null && <Notice tone="bad">{trouble}</Notice>}
    </div>
  )
}
