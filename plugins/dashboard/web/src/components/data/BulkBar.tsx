import { useId } from 'react'
import { bulkTexts } from '../../texts/bulkTexts.js'
import { Button } from '../controls/Button.js'
import { Notice } from '../feedback/Notice.js'
import { MOST_CHOSEN } from './chosenRows.js'
import type { ChosenRows } from './useChosenRows.js'

export interface BulkAction<Row> {
  readonly text: string
  readonly danger?: boolean
  /** Whether the action is possible for a row. */
  allows(row: Row): boolean
  /** Opens the confirmation for the rows that allow the action. */
  open(rows: readonly Row[]): void
}

export interface BulkBarProps<Row> {
  readonly chosen: ChosenRows<Row>
  readonly actions: readonly BulkAction<Row>[]
  readonly hasMore?: boolean
}

/** Chooses all rows of the list below, counts the chosen rows and offers their actions. Renders nothing if no row can be chosen. */
export const BulkBar = <Row,>({ chosen, actions, hasMore = false }: BulkBarProps<Row>) => {
  const hint = useId()
  if (chosen.choosable === 0) return null
  const count = chosen.rows.length
  return (
    <>
      <section className="bulk-bar" aria-label={bulkTexts.actions}>
        <label className="check">
          <input
            type="checkbox"
            ref={(box) => {
              if (box !== null) box.indeterminate = chosen.coverage === 'some'
            }}
            checked={chosen.coverage === 'all'}
            aria-describedby={hint}
            onChange={() => void chosen.toggleAll()}
          />
          <span>{chosen.isLoading ? bulkTexts.loading : bulkTexts.all(chosen.choosable, hasMore)}</span>
        </label>
        <span className="soft" role="status">
          {count > 0 && bulkTexts.chosen(count, MOST_CHOSEN)}
        </span>
        {count > 0 && (
          <div className="row bulk-actions">
            {actions.map(({ text, danger = false, allows, open }) => {
              const allowed = chosen.rows.filter(allows)
              return allowed.length === 0 ? null : (
                <Button key={text} size="small" kind={danger ? 'danger' : 'primary'} onClick={() => open(allowed)}>
                  {bulkTexts.action(text, allowed.length)}
                </Button>
              )
            })}
            <Button size="small" onClick={chosen.clear}>
              {bulkTexts.clear}
            </Button>
          </div>
        )}
        <span id={hint} className="unseen">
          {bulkTexts.keys}
        </span>
      </section>
      {chosen.trouble !== null && <Notice tone="bad">{chosen.trouble}</Notice>}
    </>
  )
}
