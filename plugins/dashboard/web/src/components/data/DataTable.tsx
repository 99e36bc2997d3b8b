import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react'
import { texts } from '../../texts/texts.js'
import { Button } from '../controls/Button.js'
import { FailedState, Skeleton } from '../feedback/States.js'
import { type Check, RowCheck } from './RowCheck.js'
import type { ChosenRows } from './useChosenRows.js'

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
  /** Whether its value takes as many lines as it needs; rows of such a table are measured. */
  readonly whole?: boolean
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
  /** Gives each row a checkbox. */
  readonly selection?: { readonly chosen: ChosenRows<Row>; nameOf(row: Row): string }
}

const CHECK_WIDTH = '1.5rem'
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

const checkOf = <Row,>(selection: DataTableProps<Row>['selection'], row: Row): Check | undefined => {
  if (selection === undefined) return undefined
  if (!selection.chosen.canChoose(row)) return 'barred'
  return selection.chosen.has(row) ? 'chosen' : 'open'
}

/** Ctrl+A (or Cmd+A) chooses all rows, Escape none. */
const chooseByKey = <Row,>(event: KeyboardEvent, chosen: ChosenRows<Row>): void => {
  // React passes on the keys of popovers that a row opened elsewhere on the page.
  if (event.target instanceof Node && !event.currentTarget.contains(event.target)) return
  if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault()
    void chosen.chooseAll()
  }
  if (event.key === 'Escape') chosen.clear()
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
    selection,
  } = props
  const scroller = useRef<HTMLDivElement>(null)
  const isNarrow = useSyncExternalStore(subscribeNarrow, () => narrow.matches)
  const count = rows?.length ?? 0
  const height = rowHeightOf(columns, isNarrow)
  const grows = columns.some(({ whole }) => whole === true)
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 12,
    // A measured height belongs to its row, wherever the row moves.
    ...(grows ? { getItemKey: (index: number) => (rows?.[index] === undefined ? index : rowKey(rows[index])) } : {}),
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
  const widths = columns.map(({ width = 'minmax(0, 1fr)' }) => width)
  const template = [...(selection === undefined ? [] : [CHECK_WIDTH]), ...widths].join(' ')
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
        {...(selection === undefined ? {} : { onKeyDown: (event) => chooseByKey(event, selection.chosen) })}
      >
        <div role="rowgroup">
          <div className="table-head" role="row">
            {selection !== undefined && (
              <div role="columnheader">
                <span className="unseen">{texts.data.choose}</span>
              </div>
            )}
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
            return (
              <TableRow
                key={rowKey(row) || key}
                row={row}
                columns={columns}
                index={index}
                start={start}
                height={height}
                href={rowHref?.(row)}
                measure={grows ? virtual.measureElement : undefined}
                check={checkOf(selection, row)}
                toggle={selection?.chosen.toggle}
                extend={selection?.chosen.extend}
                nameOf={selection?.nameOf}
              />
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

interface TableRowProps<Row> {
  readonly row: Row
  readonly columns: readonly Column<Row>[]
  readonly index: number
  readonly start: number
  readonly height: number
  readonly href: string | undefined
  /** Measures the row; its height is fixed without it. */
  readonly measure: ((element: HTMLElement | null) => void) | undefined
  readonly check: Check | undefined
  readonly toggle: ((row: Row) => void) | undefined
  readonly extend: ((row: Row) => void) | undefined
  readonly nameOf: ((row: Row) => string) | undefined
}

const PlainRow = <Row,>(props: TableRowProps<Row>) => {
  const { row, columns, index, start, height, href, measure, check, toggle, extend, nameOf } = props
  const tall = measure === undefined ? { height } : { minHeight: height }
  const place = { position: 'absolute', insetInline: 0, ...tall, transform: `translateY(${start}px)` } as const
  return (
    <div
      ref={measure}
      className="table-row"
      role="row"
      aria-rowindex={index + 1}
      data-index={index}
      data-grows={measure !== undefined}
      data-chosen={check === 'chosen'}
      style={place}
    >
      {check !== undefined && (
        <div role="cell" className="row-check">
          <RowCheck
            name={nameOf?.(row) ?? ''}
            check={check}
            toggle={() => toggle?.(row)}
            extend={() => extend?.(row)}
          />
        </div>
      )}
      {columns.map(({ id, title, align, wide, cell }) => (
        <div key={id} role="cell" data-align={align} data-wide={wide}>
          <span className="cell-name">{title}</span>
          {cell(row)}
        </div>
      ))}
      {href !== undefined && <RowLink href={href} />}
    </div>
  )
}

/** Rows that stay in sight while the list scrolls are not made again. */
const TableRow = memo(PlainRow) as typeof PlainRow // CAST: memo forgets that it takes rows of any kind.

/** Makes the whole row a link without taking its buttons away: the link lies below them. */
const RowLink = ({ href }: { readonly href: string }) => (
  <div role="cell" className="row-link">
    <Link to={href}>
      <span className="unseen">{texts.data.open}</span>
    </Link>
  </div>
)
