import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../components/controls/Button.js'
import { Dialog } from '../../../components/controls/Dialogs.js'
import { TextField } from '../../../components/controls/Field.js'
import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { Json } from '../../../components/values/Json.js'
import { Time } from '../../../components/values/Time.js'
import { TwoLines } from '../../../components/values/TwoLines.js'
import { PageHead } from '../../../shell/PageHead.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { texts } from '../../../texts/texts.js'
import { keyOfReads, LIVE_MS, readOnce } from '../commands.js'
import { Fact } from '../parts/Card.js'
import { useAddressState } from '../parts/useAddressState.js'

const words = consoleTexts.audit
const NAME = 'audit list'
const PAGE = '100'

interface AuditEntry {
  readonly id: string
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly details: Readonly<Record<string, unknown>>
}

interface AuditList {
  readonly entries: readonly AuditEntry[]
  readonly more: boolean
}

const reasonOf = ({ details: { reason } }: AuditEntry): string | null => (typeof reason === 'string' ? reason : null)

const columnsOf = (open: (entry: AuditEntry) => void): readonly Column<AuditEntry>[] => [
  { id: 'when', title: words.when, width: '7rem', cell: ({ at }) => <Time at={at} /> },
  {
    id: 'what',
    title: words.what,
    width: 'minmax(0, 1.1fr)',
    cell: (entry) => (
      <button type="button" className="link" onClick={() => open(entry)}>
        <TwoLines text={entry.action} />
      </button>
    ),
  },
  {
    id: 'whom',
    title: words.whom,
    width: 'minmax(0, 1.4fr)',
    wide: true,
    tall: true,
    cell: ({ subject }) => <TwoLines text={subject} />,
  },
  {
    id: 'who',
    title: words.who,
    width: 'minmax(0, 1.4fr)',
    wide: true,
    cell: ({ actor }) => <TwoLines text={actor} />,
  },
  {
    id: 'why',
    title: words.why,
    width: 'minmax(0, 1.4fr)',
    wide: true,
    cell: (entry) => <TwoLines text={reasonOf(entry) ?? texts.data.none} />,
  },
]

const useAudit = (subject: string) =>
  useInfiniteQuery({
    queryKey: [...keyOfReads(NAME), subject],
    queryFn: ({ pageParam, signal }) =>
      readOnce<AuditList>({ name: NAME, options: { subject, before: pageParam, limit: PAGE } }, signal),
    initialPageParam: '',
    getNextPageParam: ({ entries, more }) => (more ? entries.at(-1)?.id : undefined),
    refetchInterval: ({ state }) => (state.data === undefined || state.data.pages.length === 1 ? LIVE_MS : false),
  })

const Entry = ({ entry, only, onClose }: { readonly entry: AuditEntry; only(): void; onClose(): void }) => (
  <Dialog open wide onClose={onClose} title={words.entry(entry.id)}>
    <dl className="facts">
      <Fact name={words.what}>{entry.action}</Fact>
      <Fact name={words.whom}>{entry.subject}</Fact>
      <Fact name={words.who}>{entry.actor}</Fact>
      <Fact name={words.when}>{new Date(entry.at).toLocaleString()}</Fact>
      <Fact name={words.why}>{reasonOf(entry) ?? texts.data.none}</Fact>
    </dl>
    <Json value={entry.details} />
    <div className="dialog-end">
      <Button onClick={only}>{words.only}</Button>
      <Button kind="primary" onClick={onClose}>
        {texts.data.close}
      </Button>
    </div>
  </Dialog>
)

const Filter = ({ subject, change }: { readonly subject: string; change(subject: string): void }) => {
  const [text, setText] = useState(subject)
  return (
    <form
      className="filter"
      onSubmit={(event) => {
        event.preventDefault()
        change(text.trim())
      }}
    >
      <TextField
        label={words.subject}
        hint={words.subjectHint}
        value={text}
        maxLength={200}
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit">{words.filter}</Button>
      {subject !== '' && (
        <Button kind="quiet" onClick={() => change('')}>
          {words.clear}
        </Button>
      )}
    </form>
  )
}

/** What was done by hand, newest first. */
export const AuditPage = () => {
  const [{ subject = '' }, change] = useAddressState()
  const query = useAudit(subject)
  const [entry, setEntry] = useState<AuditEntry | null>(null)
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <Filter key={subject} subject={subject} change={(text) => change({ subject: text })} />
      <DataTable
        label={words.title}
        columns={columnsOf(setEntry)}
        rows={query.data?.pages.flatMap(({ entries }) => entries)}
        rowKey={({ id }) => id}
        error={query.error}
        retry={() => void query.refetch()}
        hasMore={query.hasNextPage}
        isLoadingMore={query.isFetchingNextPage}
        loadMore={() => void query.fetchNextPage()}
        empty={
          <EmptyState title={subject === '' ? words.empty : words.emptySubject}>
            <p>{words.emptyMore}</p>
          </EmptyState>
        }
      />
      {entry !== null && (
        <Entry
          entry={entry}
          onClose={() => setEntry(null)}
          only={() => {
            change({ subject: entry.subject })
            setEntry(null)
          }}
        />
      )}
    </>
  )
}
