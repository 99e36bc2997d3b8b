import { ListFilter, Search, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../../components/controls/Button.js'
import { SelectField, TextField } from '../../../components/controls/Field.js'
import { shortened } from '../../../components/values/Copyable.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { texts } from '../../../texts/texts.js'
import { useChains } from '../data/chains.js'
import { keyName, useKeyChoices } from '../data/keys.js'
import { FilterDialog } from './FilterDialog.js'
import { FILTERS, type FilterField, filtersIn, STATUSES } from './filterFields.js'

const words = dashboardTexts.requests

export interface FilterBarProps {
  readonly values: Readonly<Record<string, string>>
  /** Whose keys there are to choose from. */
  readonly scope: Readonly<Record<string, string>>
  change(patch: Readonly<Record<string, string | null>>): void
}

const SPANS = { hour: 3_600, day: 86_400, week: 7 * 86_400, month: 30 * 86_400 } as const
type Span = keyof typeof SPANS

const SORTS = {
  newest: {},
  oldest: { sortBy: 'createdAt', sortDirection: 'asc' },
  changed: { sortBy: 'updatedAt', sortDirection: 'desc' },
  largest: { sortBy: 'amountUsd', sortDirection: 'desc' },
  smallest: { sortBy: 'amountUsd', sortDirection: 'asc' },
} as const
type Sort = keyof typeof SORTS
// CAST: the names of its own properties.
const SORT_NAMES = Object.keys(SORTS) as readonly Sort[]

const sortOf = ({ sortBy = 'createdAt', sortDirection }: Readonly<Record<string, string>>): Sort => {
  const direction = sortDirection ?? (sortBy === 'amountUsd' ? 'asc' : 'desc')
  if (sortBy === 'amountUsd') return direction === 'asc' ? 'smallest' : 'largest'
  return sortBy === 'updatedAt' ? 'changed' : direction === 'asc' ? 'oldest' : 'newest'
}

/** What is searched for: the usual filters at hand, every other one in a dialog, and all in use as chips. */
export const FilterBar = ({ values, scope, change }: FilterBarProps) => {
  const [isOpen, setOpen] = useState(false)
  const { chains, nameOf } = useChains()
  const keys = useKeyChoices(scope).data ?? []
  const active = filtersIn(values)
  const clear = Object.fromEntries(FILTERS.map(({ name }) => [name, null]))
  const shownOf = ({ name, kind }: FilterField, value: string): string => {
    if (kind === 'status') return texts.status[value] ?? value
    if (kind === 'chain') return nameOf(Number(value))
    if (kind === 'moment') return new Date(Number(value) * 1000).toLocaleString()
    if (kind === 'flag') return words.filters.yes
    const key = name === 'apiKey' ? keys.find(({ id }) => id === value) : undefined
    return key === undefined ? shortened(value, 26) : keyName(key)
  }
  return (
    <div className="stack filter-bar">
      <div className="filter-row">
        <TermField term={values.term ?? ''} find={(term) => change({ term })} />
        <SelectField
          label={words.filters.names.status}
          choices={[
            { value: '', text: words.filters.any },
            ...STATUSES.map((status) => ({ value: status, text: texts.status[status] ?? status })),
          ]}
          value={values.status ?? ''}
          onChange={({ target }) => change({ status: target.value })}
        />
        <SpanField values={values} change={change} />
        <SelectField
          label={words.sort}
          choices={SORT_NAMES.map((name) => ({ value: name, text: words[name] }))}
          value={sortOf(values)}
          onChange={({ target }) =>
            // CAST: one of the choices above.
            change({ sortBy: null, sortDirection: null, ...SORTS[target.value as Sort] })
          }
        />
        <Button onClick={() => setOpen(true)} aria-haspopup="dialog">
          <ListFilter aria-hidden />
          {words.filters.more}
        </Button>
      </div>
      {Object.keys(active).length > 0 && (
        <ul className="chips" aria-label={words.filters.active}>
          {FILTERS.flatMap((field) => {
            const value = active[field.name]
            if (value === undefined) return []
            const name = words.filters.names[field.name]
            return [
              <li key={field.name} className="chip">
                <button type="button" className="chip-words" onClick={() => setOpen(true)}>
                  <span className="soft">{name}</span> <span className="cut">{shownOf(field, value)}</span>
                </button>
                <button
                  type="button"
                  className="chip-end"
                  aria-label={words.filters.remove(name)}
                  onClick={() => change({ [field.name]: null })}
                >
                  <X className="icon" aria-hidden />
                </button>
              </li>,
            ]
          })}
          <li>
            <Button size="small" kind="quiet" onClick={() => change(clear)}>
              {words.filters.clear}
            </Button>
          </li>
        </ul>
      )}
      <FilterDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        values={active}
        apply={(draft) => change({ ...clear, ...draft })}
        chains={chains}
        keys={keys}
      />
    </div>
  )
}

const TermField = ({ term, find }: { readonly term: string; find(term: string): void }) => {
  const [text, setText] = useState(term)
  useEffect(() => setText(term), [term])
  return (
    <form
      className="filter-term"
      onSubmit={(event) => {
        event.preventDefault()
        find(text.trim())
      }}
    >
      <TextField
        label={words.look.label}
        type="search"
        placeholder={words.look.placeholder}
        value={text}
        maxLength={256}
        onChange={({ target }) => {
          setText(target.value)
          if (target.value === '') find('')
        }}
      />
      <Button type="submit" aria-label={words.look.submit}>
        <Search aria-hidden />
      </Button>
    </form>
  )
}

const SpanField = ({ values, change }: Pick<FilterBarProps, 'values' | 'change'>) => {
  const [span, setSpan] = useState<Span | ''>('')
  const isSet = values.startTimestamp !== undefined || values.endTimestamp !== undefined
  const choose = (chosen: string) => {
    // CAST: one of the choices below.
    const next = chosen as Span | ''
    setSpan(next)
    const start = next === '' ? null : String(Math.floor(Date.now() / 1000) - SPANS[next])
    change({ startTimestamp: start, endTimestamp: null })
  }
  return (
    <SelectField
      label={words.time.label}
      choices={[
        { value: '', text: words.time.any },
        ...(isSet && span === '' ? [{ value: 'own', text: words.time.own }] : []),
        ...(['hour', 'day', 'week', 'month'] as const).map((value) => ({ value, text: words.time[value] })),
      ]}
      value={isSet ? (span === '' ? 'own' : span) : ''}
      onChange={({ target }) => target.value !== 'own' && choose(target.value)}
    />
  )
}
