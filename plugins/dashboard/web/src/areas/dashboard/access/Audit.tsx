import { useState } from 'react'
import { Button } from '../../../components/controls/Button.js'
import { Dialog } from '../../../components/controls/Dialogs.js'
import { TextField } from '../../../components/controls/Field.js'
import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { Json } from '../../../components/values/Json.js'
import { Time } from '../../../components/values/Time.js'
import { TwoLines } from '../../../components/values/TwoLines.js'
import { useAddress } from '../../../shell/address.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { texts } from '../../../texts/texts.js'
import { useCursorList } from '../data/cursorList.js'

const words = dashboardTexts.access.audit

interface AuditEntry {
  readonly id: string
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly details: Readonly<Record<string, unknown>>
}

interface AuditAnswer {
  readonly entries: readonly AuditEntry[]
  readonly nextCursor: string | null
}

const detailText = (details: AuditEntry['details']): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')

const columns = (open: (entry: AuditEntry) => void): readonly Column<AuditEntry>[] => [
  { id: 'at', title: words.columns.at, width: '6.5rem', cell: ({ at }) => <Time at={at} /> },
  { id: 'what', title: words.columns.what, cell: ({ action }) => <TwoLines text={action} /> },
  {
    id: 'subject',
    title: words.columns.subject,
    width: 'minmax(0, 1.3fr)',
    wide: true,
    tall: true,
    cell: ({ subject }) => <TwoLines text={subject} />,
  },
  {
    id: 'who',
    title: words.columns.who,
    width: 'minmax(0, 1.3fr)',
    wide: true,
    cell: ({ actor }) => <TwoLines text={actor} />,
  },
  {
    id: 'details',
    title: words.columns.details,
    wide: true,
    cell: ({ details }) => <TwoLines text={detailText(details) || texts.data.none} />,
  },
  {
    id: 'look',
    title: words.columns.look,
    width: '5rem',
    align: 'end',
    cell: (entry) => (
      <Button size="small" onClick={() => open(entry)}>
        {words.columns.look}
      </Button>
    ),
  },
]

/** For operators: what was done by hand, newest first. */
export const Audit = () => {
  const { values, change } = useAddress()
  const subject = values.subject ?? ''
  const [open, setOpen] = useState<AuditEntry | null>(null)
  const { table } = useCursorList<AuditAnswer, AuditEntry>({
    path: '/dashboard/api/audit',
    query: { subject, limit: 50 },
    rowsOf: ({ entries }) => entries,
    nextOf: ({ nextCursor }) => nextCursor,
  })
  return (
    <section className="stack" aria-label={words.list}>
      <div className="filter-row">
        <TextField
          label={words.subject}
          hint={words.subjectHint}
          type="search"
          value={subject}
          maxLength={200}
          onChange={({ target }) => change({ subject: target.value })}
        />
      </div>
      <DataTable
        label={words.list}
        columns={columns(setOpen)}
        rowKey={({ id }) => id}
        leastWidth={900}
        empty={
          <EmptyState title={words.empty}>
            <p>{words.emptyHow}</p>
          </EmptyState>
        }
        {...table}
      />
      <Dialog open={open !== null} onClose={() => setOpen(null)} title={open?.action ?? words.list} wide>
        <Json value={open} />
        <div className="dialog-end">
          <Button kind="primary" onClick={() => setOpen(null)}>
            {texts.data.close}
          </Button>
        </div>
      </Dialog>
    </section>
  )
}
