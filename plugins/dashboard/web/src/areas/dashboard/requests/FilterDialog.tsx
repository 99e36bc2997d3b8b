import { useId, useState } from 'react'
import { Button } from '../../../components/controls/Button.js'
import { Dialog } from '../../../components/controls/Dialogs.js'
import { CheckField, SelectField, TextArea, TextField } from '../../../components/controls/Field.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { texts } from '../../../texts/texts.js'
import type { ShownChain } from '../data/chains.js'
import { type ApiKey, keyName } from '../data/keys.js'
import {
  FILTERS,
  type FilterField,
  type FilterGroup,
  hintOf,
  momentSeconds,
  momentText,
  problemOf,
  STATUSES,
} from './filterFields.js'

const words = dashboardTexts.requests.filters
// CAST: the names of its own properties.
const GROUPS = Object.keys(words.groups) as readonly FilterGroup[]
const ANY = { value: '', text: words.any }

export interface FilterDialogProps {
  readonly open: boolean
  onClose(): void
  readonly values: Readonly<Record<string, string>>
  apply(values: Readonly<Record<string, string>>): void
  readonly chains: readonly ShownChain[]
  readonly keys: readonly ApiKey[]
}

/** Every filter there is. It opens with those in use. */
export const FilterDialog = ({ open, onClose, ...form }: FilterDialogProps) => (
  <Dialog open={open} onClose={onClose} title={words.title} lead={words.lead} wide>
    <FilterForm onClose={onClose} {...form} />
  </Dialog>
)

const FilterForm = ({ onClose, values, apply, chains, keys }: Omit<FilterDialogProps, 'open'>) => {
  const [draft, setDraft] = useState(values)
  const form = useId()
  const isWrong = FILTERS.some((field) => problemOf(field, draft[field.name] ?? '') !== null)
  const put = (name: string, value: string) => setDraft((before) => ({ ...before, [name]: value }))
  return (
    <form
      id={form}
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (isWrong) return
        apply(draft)
        onClose()
      }}
    >
      {GROUPS.map((group) => (
        <fieldset key={group} className="filter-group">
          <legend>{words.groups[group]}</legend>
          <div className="grid">
            {FILTERS.filter((field) => field.group === group).map((field) => (
              <FilterInput
                key={field.name}
                field={field}
                value={draft[field.name] ?? ''}
                put={(value) => put(field.name, value)}
                chains={chains}
                keys={keys}
              />
            ))}
          </div>
        </fieldset>
      ))}
      <div className="dialog-end sticky-end">
        <Button onClick={() => setDraft({})}>{words.clear}</Button>
        <Button onClick={onClose}>{texts.data.cancel}</Button>
        <Button type="submit" kind="primary" disabled={isWrong}>
          {words.apply}
        </Button>
      </div>
    </form>
  )
}

interface InputProps extends Pick<FilterDialogProps, 'chains' | 'keys'> {
  readonly field: FilterField
  readonly value: string
  put(value: string): void
}

const choicesOf = ({ field: { kind }, value, chains, keys }: InputProps) => {
  const known =
    kind === 'status'
      ? STATUSES.map((status) => ({ value: status, text: texts.status[status] ?? status }))
      : kind === 'type'
        ? words.types.map((type) => ({ value: type, text: type }))
        : kind === 'chain'
          ? chains.map(({ id, displayName }) => ({ value: String(id), text: displayName }))
          : keys.map((key) => ({ value: key.id, text: keyName(key) }))
  const isKnown = value === '' || known.some((choice) => choice.value === value)
  return [ANY, ...known, ...(isKnown ? [] : [{ value, text: value }])]
}

const FilterInput = (props: InputProps) => {
  const { field, value, put } = props
  const hint = hintOf(field.name)
  const shared = { label: words.names[field.name], ...(hint === undefined ? {} : { hint }) }
  const problem = problemOf(field, value)
  switch (field.kind) {
    case 'status':
    case 'type':
    case 'chain':
    case 'key':
      return (
        <SelectField
          {...shared}
          choices={choicesOf(props)}
          value={value}
          onChange={({ target }) => put(target.value)}
        />
      )
    case 'moment':
      return (
        <TextField
          {...shared}
          type="datetime-local"
          value={value === '' ? '' : momentText(value)}
          onChange={({ target }) => put(momentSeconds(target.value))}
        />
      )
    case 'flag':
      return (
        <div className="field">
          <CheckField
            label={shared.label}
            checked={value === 'true'}
            onChange={({ target }) => put(target.checked ? 'true' : '')}
          />
          {hint !== undefined && <span className="field-hint">{hint}</span>}
        </div>
      )
    case 'json':
      return <TextArea {...shared} problem={problem} value={value} onChange={({ target }) => put(target.value)} />
    default:
      return (
        <TextField
          {...shared}
          problem={problem}
          inputMode={field.kind === 'number' ? 'decimal' : 'text'}
          value={value}
          onChange={({ target }) => put(target.value.trim())}
        />
      )
  }
}
