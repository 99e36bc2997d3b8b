import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

export interface ChartSeries {
  readonly name: string
  /** One value a moment; null: none. */
  readonly values: readonly (number | null)[]
}

export interface ChartProps {
  /** What it shows, for whoever cannot see it. */
  readonly label: string
  /** Unix seconds, rising. */
  readonly times: readonly number[]
  /** At most four. */
  readonly series: readonly ChartSeries[]
  readonly height?: number
  format?(value: number): string
}

const colourOf = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

const optionsOf = ({ series, height = 200, format = String }: ChartProps, width: number): uPlot.Options => {
  const axis = {
    stroke: colourOf('--ink-soft'),
    grid: { stroke: colourOf('--line'), width: 1 },
    ticks: { show: false },
  }
  return {
    width,
    height,
    // Room for the last time, which stands in the middle of its place.
    padding: [8, 28, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    axes: [axis, { ...axis, size: 64, values: (_plot, values) => values.map((value) => format(value)) }],
    series: [
      {},
      ...series.map(({ name }, at) => ({
        label: name,
        stroke: colourOf(`--series-${at + 1}`),
        width: 2,
        // What the others are part of shows behind them.
        ...(at === 0 ? { fill: `${colourOf('--series-1')}22` } : {}),
        points: { show: false },
      })),
    ],
  }
}

/** Lines over time. The names of its lines stand below it; its numbers are in the table that the page has beside it. */
export const Chart = (props: ChartProps) => {
  const host = useRef<HTMLDivElement>(null)
  const { label, times, series } = props
  useEffect(() => {
    const element = host.current
    if (element === null) return
    // CAST: uPlot takes numbers and nulls.
    const data = [[...times], ...series.map(({ values }) => [...values])] as uPlot.AlignedData
    const plot = new uPlot(optionsOf(props, element.clientWidth), data, element)
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: plot.height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [props, times, series])
  return (
    <figure className="tight">
      <div ref={host} className="chart" role="img" aria-label={label} />
      <figcaption className="row small soft">
        {series.map(({ name }, at) => (
          <span key={name} className="row">
            <i className="swatch" data-part={String(at + 1)} aria-hidden /> {name}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}
