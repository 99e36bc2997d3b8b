import type { LucideIcon } from 'lucide-react'
import { ArrowDownToLine, ArrowUpFromLine, Check, RotateCcw, Waypoints, X } from 'lucide-react'
import { texts } from '../../../texts/texts.js'
import { trackTexts } from '../../../texts/trackTexts.js'

type StopState = 'ahead' | 'busy' | 'good' | 'bad' | 'warn'
type LegState = 'ahead' | 'busy' | 'good' | 'back'

interface Stop {
  readonly state: StopState
  readonly text: string
}

/** What is lit at a status: the place of the deposit, the service, the place of the payout, and the ways between them. */
interface Drawing {
  readonly stops: readonly [Stop, Stop, Stop]
  readonly legs: readonly [LegState, LegState]
}

const { origin, service, destination } = trackTexts.way.stop

const DRAWINGS: Readonly<Record<string, Drawing>> = {
  waiting: {
    stops: [
      { state: 'busy', text: origin.waiting },
      { state: 'ahead', text: service.ahead },
      { state: 'ahead', text: destination.ahead },
    ],
    legs: ['ahead', 'ahead'],
  },
  depositing: {
    stops: [
      { state: 'busy', text: origin.depositing },
      { state: 'ahead', text: service.ahead },
      { state: 'ahead', text: destination.ahead },
    ],
    legs: ['busy', 'ahead'],
  },
  pending: {
    stops: [
      { state: 'good', text: origin.done },
      { state: 'busy', text: service.working },
      { state: 'ahead', text: destination.ahead },
    ],
    legs: ['good', 'ahead'],
  },
  submitted: {
    stops: [
      { state: 'good', text: origin.done },
      { state: 'good', text: service.done },
      { state: 'busy', text: destination.working },
    ],
    legs: ['good', 'busy'],
  },
  success: {
    stops: [
      { state: 'good', text: origin.done },
      { state: 'good', text: service.done },
      { state: 'good', text: destination.done },
    ],
    legs: ['good', 'good'],
  },
  failure: {
    stops: [
      { state: 'good', text: origin.failure },
      { state: 'bad', text: service.failure },
      { state: 'ahead', text: destination.none },
    ],
    legs: ['good', 'ahead'],
  },
  refund: {
    stops: [
      { state: 'good', text: origin.refund },
      { state: 'warn', text: service.refund },
      { state: 'ahead', text: destination.none },
    ],
    legs: ['back', 'ahead'],
  },
}

const MARKS: Readonly<Partial<Record<StopState, LucideIcon>>> = { good: Check, bad: X, warn: RotateCcw }

const StopView = ({
  stop: { state, text },
  caption,
  name,
  icon,
}: {
  readonly stop: Stop
  readonly caption: string
  readonly name: string
  readonly icon: LucideIcon
}) => {
  const Icon = MARKS[state] ?? icon
  return (
    <li className="way-stop" data-state={state}>
      <span className="way-mark" aria-hidden>
        <Icon className="icon" />
      </span>
      <span className="way-words">
        <span className="small faint">{caption}</span>
        <strong className="wrap way-name">{name}</strong>
        <span className="small way-state">{text}</span>
      </span>
    </li>
  )
}

const Leg = ({ state }: { readonly state: LegState }) => <li className="way-leg" data-state={state} aria-hidden />

/** The way of the money: where it was paid, who passes it on, where it is paid out. Its steps are lit as they happen. */
export const Way = ({ status, from, to }: { readonly status: string; readonly from: string; readonly to: string }) => {
  const drawing = DRAWINGS[status]
  if (drawing === undefined) return null
  const [first, middle, last] = drawing.stops
  const words = trackTexts.way
  return (
    <ol className="way" aria-label={trackTexts.wayTitle}>
      <StopView stop={first} caption={words.from} name={from} icon={ArrowUpFromLine} />
      <Leg state={drawing.legs[0]} />
      <StopView stop={middle} caption={words.service} name={texts.product} icon={Waypoints} />
      <Leg state={drawing.legs[1]} />
      <StopView stop={last} caption={words.to} name={to} icon={ArrowDownToLine} />
    </ol>
  )
}
