import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react'
import { texts } from '../../texts/texts.js'
import { Button } from '../controls/Button.js'
import { FailedState, Skeleton } from '../feedback/States.js'

export interface Column<Row> {
  readonly id: string
  readonly title: string
  /** Numbers stand at the end of their column. */
  readonly align?: 'end'
  /** As in `grid-template-columns`; default `minmax(0, 1fr)`. */
  readonly width?: string
  /** On a narrow screen it has a line of its own. */
  readonly wide?: boolean
  /** Whether its value has two lines. */
  readonly tall?: boolean
  cell(row: Row): ReactNode
  /** Set where the service can sort by it: `up` is the present direction, null when it is sorted by another. */
  readonly sort?: { readonly up: boolean | null; toggle(): void }
}

export interface DataTableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  /** Undefined while the first of them are on their way. */
  readonly rows: readonly Row[] | undefined
  rowKey(row: Row): string
  /** Where a row leads; rows without one lead nowhere. */
  rowHref?(row: Row): string
  readonly error?: unknown
  retry?(): void
  /** Shown where there are no rows. */
  readonly empty: ReactNode
  readonly hasMore?: boolean
  readonly isLoadingMore?: boolean
  loadMore?(): void
  /** Least width, pixels, before it scrolls sideways on wide screens. */
  readonly leastWidth?: number
}

const ROW_HEIGHT = 53
/** Of the form for narrow screens: a name and a value, and what a second line of the value adds. */
const LINE_HEIGHT = 48
const SECOND_LINE = 18

const narrow = window.matchMedia('(max-width: 700px)')
const subscribeNarrow = (listener: () => void) => {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

/** The columns of each line of a card: a wide one alone, others in pairs, as the grid places them. */
const linesOf = <Row,>(columns: readonly Column<Row>[]): readonly (readonly Column<Row>[])[] => {
  const lines: Column<Row>[][] = []
  for (const column of columns) {
    const last = lines.at(-1)
    if (column.wide === true || last === undefined || last.length === 2 || last[0]?.wide === true) lines.push([column])
    else last.push(column)
  }
  return lines
}

const lineHeightOf = <Row,>(line: readonly Column<Row>[]): number =>
  line.some(({ tall }) => tall === true) ? LINE_HEIGHT + SECOND_LINE : LINE_HEIGHT

const rowHeightOf = <Row,>(columns: readonly Column<Row>[], isNarrow: boolean): number => {
  if (!isNarrow) return ROW_HEIGHT
  return linesOf(columns).reduce((height, line) => height + lineHeightOf(line), 26)
}

/**
 * A list of any length: only the rows in sight are there. Rows come in pages; the next one is asked for before its place is in
 * sight. On narrow screens each row becomes a card with the names of its values.
 */
export const DataTable = <Row,>(props: DataTableProps<Row>) => {
  const {
    label,
    columns,
    rows,
    rowKey,
    rowHref,
    error,
    retry,
    empty,
    hasMore = false,
    isLoadingMore = false,
    loadMore,
  } = props
  const scroller = useRef<HTMLDivElement>(null)
  const isNarrow = useSyncExternalStore(subscribeNarrow, () => narrow.matches)
  const count = rows?.length ?? 0
  const height = rowHeightOf(columns, isNarrow)
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 12,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height is why it measures again
  useEffect(() => virtual.measure(), [height, virtual])
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  useEffect(() => {
    // After a failure the next page waits for a click, so that nobody asks without end.
    if (hasMore && !isLoadingMore && !error && count > 0 && last >= count - 10) loadMore?.()
  }, [hasMore, isLoadingMore, error, last, count, loadMore])

  if (rows === undefined)
    return error ? <FailedState error={error} {...(retry ? { retry } : {})} /> : <Skeleton lines={6} />
  if (count === 0) return <div className="table">{empty}</div>
  const template = columns.map(({ width = 'minmax(0, 1fr)' }) => width).join(' ')
  const cells = (row: Row) =>
    columns.map(({ id, title, align, wide, cell }) => (
      <div key={id} role="cell" data-align={align} data-wide={wide}>
        <span className="cell-name">{title}</span>
        {cell(row)}
      </div>
    ))
  return (
    <div
      className="table"
      style={{ ['--columns' as string]: template, ['--wide' as string]: `${props.leastWidth ?? 0}px` }}
    >
      <div
        ref={scroller}
        className="table-scroll"
        role="table"
        aria-label={label}
        aria-rowcount={hasMore ? -1 : count}
        tabIndex={0}
      >
        <div role="rowgroup">
          <div className="table-head" role="row">
            {columns.map(({ id, title, align, sort }) => (
              <div
                key={id}
                role="columnheader"
                data-align={align}
                aria-sort={sort?.up == null ? undefined : sort.up ? 'ascending' : 'descending'}
              >
                {sort === undefined ? (
                  title
                ) : (
                  <button type="button" onClick={sort.toggle}>
                    {title}
                    <span aria-hidden>{sort.up == null ? '↕' : sort.up ? '↑' : '↓'}</span>
                  </button>
                )}
              </div>
            ))}
          </div>
        </div>
        <div className="table-body" role="rowgroup" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start, key }) => {
            const row = rows[index]
            if (row === undefined) return null
            const place = { position: 'absolute', insetInline: 0, height, transform: `translateY(${start}px)` } as const
            const href = rowHref?.(row)
            return (
              <div key={rowKey(row) || key} className="table-row" role="row" aria-rowindex={index + 1} style={place}>
                {cells(row)}
                {href !== undefined && <RowLink href={href} />}
              </div>
            )
          })}
        </div>
      </div>
      <div className="table-end">
        {error ? (
          <span role="alert">{error instanceof Error ? error.message : String(error)}</span>
        ) : (
          <span>{texts.data.rows(count)}</span>
        )}
        {hasMore ? (
          <Button size="small" onClick={loadMore} disabled={isLoadingMore}>
            {isLoadingMore ? texts.data.loading : texts.data.more}
          </Button>
        ) : (
          <span>{texts.data.all}</span>
        )}
      </div>
    </div>
  )
}

/** Makes the whole row a link without taking its buttons away: the link lies below them. */
const RowLink = ({ href }: { readonly href: string }) => (
  <div role="cell" className="row-link">
    <Link to={href}>
      <span className="unseen">{texts.data.open}</span>
    </Link>
  </div>
)
