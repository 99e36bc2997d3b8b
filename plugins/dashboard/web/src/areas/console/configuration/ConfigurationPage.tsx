import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { TextField } from '../../../components/controls/Field.js'
import { TabPages } from '../../../components/controls/TabPages.js'
import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { EmptyState, Loaded } from '../../../components/feedback/States.js'
import { Json } from '../../../components/values/Json.js'
import { PageHead } from '../../../shell/PageHead.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { readCommand } from '../commands.js'
import { useAddressState } from '../parts/useAddressState.js'

const words = consoleTexts.configuration

interface Setting {
  /** `chains.0.rpc.0.provider` */
  readonly name: string
  readonly value: string
}

/** Every value with the way to it; empty lists and objects are values too. */
const settingsOf = (value: unknown, name: string): readonly Setting[] => {
  if (typeof value !== 'object' || value === null) return [{ name, value: String(value) }]
  const entries = Object.entries(value)
  if (entries.length === 0) return [{ name, value: Array.isArray(value) ? '[]' : '{}' }]
  return entries.flatMap(([key, item]) => settingsOf(item, name === '' ? key : `${name}.${key}`))
}

const COLUMNS: readonly Column<Setting>[] = [
  {
    id: 'name',
    title: words.setting,
    wide: true,
    cell: ({ name }) => (
      <span className="mono cut" title={name}>
        {name}
      </span>
    ),
  },
  {
    id: 'value',
    title: words.value,
    wide: true,
    cell: ({ value }) => (
      <span className="mono cut" title={value}>
        {value}
      </span>
    ),
  },
]

const Settings = ({
  config,
  find,
  change,
}: {
  readonly config: unknown
  readonly find: string
  change(find: string): void
}) => {
  const all = useMemo(() => settingsOf(config, ''), [config])
  const sought = find.trim().toLowerCase()
  const found = all.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(sought))
  return (
    <>
      <TextField
        label={words.find}
        hint={words.findHint}
        type="search"
        value={find}
        onChange={({ target }) => change(target.value)}
      />
      <DataTable
        label={words.title}
        columns={COLUMNS}
        rows={found}
        rowKey={({ name }) => name}
        empty={
          <EmptyState title={words.noneFound}>
            <p>{words.noneFoundMore}</p>
          </EmptyState>
        }
      />
    </>
  )
}

/** What is in force, without secrets. */
export const ConfigurationPage = () => {
  const query = useQuery(readCommand<{ readonly config: unknown }>({ name: 'config show' }, null))
  const [{ view = 'list', find = '' }, change] = useAddressState()
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <Loaded query={query} lines={10}>
        {({ config }) => (
          <TabPages
            label={words.title}
            value={view}
            onChange={(chosen) => change({ view: chosen === 'list' ? null : chosen })}
            pages={[
              {
                id: 'list',
                title: words.list,
                content: <Settings config={config} find={find} change={(text) => change({ find: text })} />,
              },
              { id: 'raw', title: words.raw, content: <Json value={config} /> },
            ]}
          />
        )}
      </Loaded>
    </>
  )
}
