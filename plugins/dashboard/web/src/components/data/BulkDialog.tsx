import { memo, type ReactNode, useId, useState } from 'react'
import { bulkTexts } from '../../texts/bulkTexts.js'
import { texts } from '../../texts/texts.js'
import { Button } from '../controls/Button.js'
import { Dialog } from '../controls/Dialogs.js'
import { TextField } from '../controls/Field.js'
import { Notice } from '../feedback/Notice.js'
import { Badge, type Tone } from '../values/Badge.js'
import type { ItemState } from './bulkRun.js'
import { useBulkRun } from './useBulkRun.js'

const TONES: Readonly<Record<ItemState['state'], Tone>> = {
  waiting: 'plain',
  working: 'busy',
  done: 'good',
  refused: 'bad',
}

export interface BulkDialogProps<Item> {
  readonly title: string
  /** Effect of the action. */
  readonly lead: ReactNode
  /** Count and sum of the items. */
  readonly total: ReactNode
  readonly items: readonly Item[]
  keyOf(item: Item): string
  nameOf(item: Item): ReactNode
  /** Does one item; returns the service's answer. */
  act(item: Item): Promise<string>
  /** Text to type before the run begins. */
  readonly retype?: string
  readonly confirm: string
  readonly danger?: boolean
  /** Why the run cannot begin with the present values of `children`, or null. */
  problem?(): string | null
  /** Called after each run. */
  ended(): unknown
  onClose(): void
  readonly children?: ReactNode
}

const PlainItem = ({ name, state: { state, says } }: { readonly name: ReactNode; readonly state: ItemState }) => (
  <li data-state={state}>
    <div className="row between">
      <span className="wrap">{name}</span>
      {state !== 'waiting' && <Badge tone={TONES[state]}>{bulkTexts.states[state]}</Badge>}
    </div>
    {says !== null && <span className="small soft wrap">{says}</span>}
  </li>
)
/** A thousand items are listed, and one changes at a time. */
const ItemRow = memo(PlainItem, (before, after) => before.state === after.state)

const Progress = ({ over, count, refused }: { over: number; count: number; refused: number }) => (
  <div className="tight">
    <progress value={over} max={count} aria-label={bulkTexts.progress(over, count, refused)} />
    <span className="small soft number" role="status">
      {bulkTexts.progress(over, count, refused)}
    </span>
  </div>
)

/** Refusals come first when the run is over, since they are left to do. */
const RANKS: Readonly<Record<ItemState['state'], number>> = { refused: 0, waiting: 1, working: 2, done: 3 }

/**
 * Confirms an action once for the items of the moment it opens. Shows progress and a result for each item, goes on after refusals,
 * and retries what is not done.
 */
export const BulkDialog = <Item,>(props: BulkDialogProps<Item>) => {
  const { title, lead, total, keyOf, nameOf, retype, confirm, danger = false, problem, onClose, children } = props
  const [items] = useState(props.items)
  const [typed, setTyped] = useState('')
  const [missing, setMissing] = useState<string | null>(null)
  const form = useId()
  const bulk = useBulkRun({ items, keyOf, act: props.act, ended: props.ended })
  const isRight = retype === undefined || typed.trim() === retype
  const states = items.map((item) => ({ item, state: bulk.stateOf(item) }))
  const counts = { done: 0, refused: 0, waiting: 0, working: 0 }
  for (const { state } of states) counts[state.state] += 1
  const listed = bulk.phase === 'over' ? states.sort((a, b) => RANKS[a.state.state] - RANKS[b.state.state]) : states
  const begin = () => {
    const why = problem?.() ?? null
    setMissing(why)
    if (why === null && isRight && bulk.phase === 'asking') void bulk.start()
  }
  return (
    <Dialog open onClose={() => bulk.phase !== 'running' && onClose()} title={title} lead={lead} wide>
      {total}
      {bulk.phase === 'asking' && (
        <form
          id={form}
          className="stack"
          onSubmit={(event) => {
            event.preventDefault()
            begin()
          }}
        >
          {children}
          {retype !== undefined && (
            <TextField
              label={texts.data.retype(retype)}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
          {missing !== null && <Notice tone="bad">{missing}</Notice>}
        </form>
      )}
      {bulk.phase === 'running' && (
        <Progress over={counts.done + counts.refused} count={items.length} refused={counts.refused} />
      )}
      {bulk.phase === 'over' && (
        <Notice tone={counts.done === items.length ? 'good' : 'warn'}>
          <strong>{bulkTexts.ended(counts.done, items.length)}</strong>{' '}
          {bulk.stopped !== null && bulkTexts.stopped(bulk.stopped)} {counts.done < items.length && bulkTexts.endedMore}
        </Notice>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <ul className="bulk-items" aria-label={bulkTexts.items} tabIndex={0}>
        {listed.map(({ item, state }) => (
          <ItemRow key={keyOf(item)} name={nameOf(item)} state={state} />
        ))}
      </ul>
      <div className="dialog-end">
        {bulk.phase === 'asking' && (
          <>
            <Button onClick={onClose}>{texts.data.cancel}</Button>
            <Button type="submit" form={form} kind={danger ? 'danger' : 'primary'} disabled={!isRight}>
              {confirm}
            </Button>
          </>
        )}
        {bulk.phase === 'running' && (
          <Button onClick={bulk.stop} disabled={bulk.isStopping}>
            {bulk.isStopping ? bulkTexts.stopping : bulkTexts.stop}
          </Button>
        )}
        {bulk.phase === 'over' && (
          <>
            {counts.done < items.length && (
              <Button onClick={() => void bulk.start()}>{bulkTexts.again(items.length - counts.done)}</Button>
            )}
            <Button kind="primary" onClick={onClose}>
              {texts.data.close}
            </Button>
          </>
        )}
      </div>
    </Dialog>
  )
}
