import type { KeyboardEvent } from 'react'
import { texts } from '../../texts/texts.js'

/** Whether a row is chosen; `barred` rows cannot be. */
export type Check = 'chosen' | 'open' | 'barred'

const STEPS: Readonly<Record<string, 'next' | 'previous'>> = { ArrowDown: 'next', ArrowUp: 'previous' }

/** The checkbox of the next row that can be chosen, or of the one before. */
const neighbour = (from: HTMLInputElement, step: 'next' | 'previous'): HTMLInputElement | undefined => {
  const table = from.closest('[role=table]')
  const all = [...(table?.querySelectorAll<HTMLInputElement>('.row-check input:not(:disabled)') ?? [])]
  const indexOf = (box: HTMLInputElement): number => Number(box.closest<HTMLElement>('.table-row')?.dataset.index)
  const sorted = all.sort((one, other) => indexOf(one) - indexOf(other))
  return sorted[sorted.indexOf(from) + (step === 'next' ? 1 : -1)]
}

export interface RowCheckProps {
  /** Name of the row, for screen readers. */
  readonly name: string
  readonly check: Check
  toggle(): void
  /** Chooses all rows from the last chosen one to this one. */
  extend(): void
}

/**
 * The checkbox of a row. Space toggles it, Shift extends the range, arrow keys move to the next row, and Shift with an arrow key
 * chooses the row as well.
 */
export const RowCheck = ({ name, check, toggle, extend }: RowCheckProps) => {
  const move = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = neighbour(event.currentTarget, step)
    if (next === undefined) return
    if (event.shiftKey && check === 'open') toggle()
    next.focus()
    if (event.shiftKey && !next.checked) next.click()
  }
  return (
    <label>
      <input
        type="checkbox"
        aria-label={texts.data.chooseOne(name)}
        checked={check === 'chosen'}
        disabled={check === 'barred'}
        onChange={({ nativeEvent }) =>
          nativeEvent instanceof MouseEvent && nativeEvent.shiftKey ? extend() : toggle()
        }
        onKeyDown={move}
      />
    </label>
  )
}
