import { useSyncExternalStore } from 'react'
import { boot } from '../../boot.js'
import { texts } from '../../texts/texts.js'

const TICK_MS = 1_000
const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const each of listeners) each()
  }, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

const UNITS = [
  { ms: 86_400_000, text: texts.time.days },
  { ms: 3_600_000, text: texts.time.hours },
  { ms: 60_000, text: texts.time.minutes },
  { ms: 1_000, text: texts.time.seconds },
] as const

/** A length of time in its largest unit: `3 min`. */
export const durationText = (ms: number): string => {
  const unit = UNITS.find((each) => ms >= each.ms)
  return unit === undefined ? texts.time.seconds(0) : unit.text(Math.floor(ms / unit.ms))
}

const relativeText = (at: number, from = now): string => {
  const away = at - from
  if (Math.abs(away) < 2_000) return texts.time.now
  return away < 0 ? texts.time.ago(durationText(-away)) : texts.time.ahead(durationText(away))
}

/** Nobody but the browser knows the reader's clock, and that is known once. */
const toNothing = () => () => undefined

const two = (part: number): string => String(part).padStart(2, '0')

/** A moment by the reader's clock, in the order of ISO 8601. What languages write it as would cost a page more than all else that it shows. */
const localText = (date: Date): string => {
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`
}

/** A moment, told by how far away it is; exactly on hover, and for machines. `at`: ISO 8601 or Unix milliseconds. */
export const Time = ({ at }: { readonly at: string | number }) => {
  const ms = typeof at === 'number' ? at : Date.parse(at)
  const text = useSyncExternalStore(
    subscribe,
    () => relativeText(ms),
    () => relativeText(ms, boot.drawn?.at),
  )
  const isHere = useSyncExternalStore(
    toNothing,
    () => true,
    () => false,
  )
  if (Number.isNaN(ms)) return <span>{String(at)}</span>
  const date = new Date(ms)
  return (
    <time
      className="number"
      dateTime={date.toISOString()}
      title={isHere ? `${localText(date)} (${date.toISOString()})` : date.toISOString()}
    >
      {text}
    </time>
  )
}
