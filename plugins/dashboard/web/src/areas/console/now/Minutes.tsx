import { useMemo } from 'react'
import { Chart } from '../../../components/data/Chart.js'
import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { usdText } from '../../../components/values/amountText.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { Card } from '../parts/Card.js'
import type { Minute, NowReport } from './nowReport.js'

const words = consoleTexts.now

const clock = (at: string): string => new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })

const COLUMNS: readonly Column<Minute>[] = [
  { id: 'at', title: words.minute, cell: ({ at }) => <time dateTime={at}>{clock(at)}</time> },
  { id: 'begun', title: words.begun, align: 'end', cell: ({ begun }) => begun },
  { id: 'succeeded', title: words.succeeded, align: 'end', cell: ({ succeeded }) => succeeded },
  { id: 'refunded', title: words.refunded, align: 'end', cell: ({ refunded }) => refunded },
  { id: 'failed', title: words.failed, align: 'end', cell: ({ failed }) => failed },
  { id: 'usd', title: words.worth, align: 'end', cell: ({ usd }) => usdText(usd) },
]

const SERIES = ['begun', 'succeeded', 'refunded', 'failed'] as const

const isQuiet = ({ begun, succeeded, refunded, failed }: Minute): boolean => begun + succeeded + refunded + failed === 0

const whole = (value: number): string => (Number.isInteger(value) ? value.toLocaleString('en') : '')

/** The hour minute by minute, as lines and as numbers. */
export const Minutes = ({ report: { minutes } }: { readonly report: NowReport }) => {
  const times = useMemo(() => minutes.map(({ at }) => Date.parse(at) / 1000), [minutes])
  const series = useMemo(
    () => SERIES.map((name) => ({ name: words[name], values: minutes.map((minute) => minute[name]) })),
    [minutes],
  )
  const told = minutes.filter((minute) => !isQuiet(minute)).toReversed()
  return (
    <Card title={words.chart}>
      <Chart label={words.chart} times={times} series={series} format={whole} />
      <details>
        <summary>{words.numbers}</summary>
        <DataTable
          label={words.numbers}
          columns={COLUMNS}
          rows={told}
          rowKey={({ at }) => at}
          empty={
            <EmptyState title={words.quiet}>
              <p>{words.quietMore}</p>
            </EmptyState>
          }
        />
      </details>
    </Card>
  )
}
