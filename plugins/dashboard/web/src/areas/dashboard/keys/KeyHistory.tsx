import type { ReactNode } from 'react'
import { Timeline } from '../../../components/data/Timeline.js'
import { shortened } from '../../../components/values/Copyable.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'

const words = dashboardTexts.keys

interface KeyEvent {
  readonly id: string
  readonly at: string
  readonly action: string
  readonly by: { readonly kind: 'member' | 'operator'; readonly wallet?: string }
  readonly actor?: string
  readonly change: Readonly<Record<string, string | boolean | null>>
}

interface KeyDay {
  readonly day: string
  readonly calls: number
  readonly refused: number
}

/** What of `GET /dashboard/api/keys/{id}/history` is shown. */
export interface KeyHistory {
  readonly firstUsedAt: string | null
  readonly days: readonly KeyDay[]
  readonly events: readonly KeyEvent[]
  readonly nextCursor: string | null
}

const DAYS = 14
const DAY_MS = 86_400_000

/** Fourteen days, those without calls too. */
const everyDay = (days: readonly KeyDay[]): readonly KeyDay[] =>
  Array.from({ length: DAYS }, (_, at) => {
    const day = new Date(Date.now() - (DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10)
    return days.find((each) => each.day === day) ?? { day, calls: 0, refused: 0 }
  })

/** Calls by day as bars; the numbers are in their names. */
export const KeyUse = ({ days }: { readonly days: readonly KeyDay[] }) => {
  const shown = everyDay(days)
  const most = Math.max(1, ...shown.map(({ calls }) => calls))
  const total = shown.reduce((sum, { calls }) => sum + calls, 0)
  return (
    <section className="card" aria-label={words.use}>
      <div className="card-head">
        <h2>{words.use}</h2>
        <span className="number soft">{total.toLocaleString()}</span>
      </div>
      {total === 0 ? (
        <p className="soft">{words.noUse}</p>
      ) : (
        <ol className="bars" aria-label={words.useLead}>
          {shown.map(({ day, calls, refused }) => {
            const name = `${day}: ${calls.toLocaleString()} ${words.calls}, ${refused.toLocaleString()} ${words.refused}`
            return (
              <li key={day} title={name}>
                <span className="unseen">{name}</span>
                <i
                  className="bar-all"
                  data-none={calls === 0}
                  style={{ height: `${(calls / most) * 100}%` }}
                  aria-hidden
                >
                  <i className="bar-bad" style={{ height: `${calls === 0 ? 0 : (refused / calls) * 100}%` }} />
                </i>
                <span className="bar-day" aria-hidden>
                  {day.slice(8)}
                </span>
              </li>
            )
          })}
        </ol>
      )}
      {total > 0 && (
        <div className="row small soft" aria-hidden>
          <span className="row">
            <i className="swatch" data-part="1" /> {words.calls}
          </span>
          <span className="row">
            <i className="swatch" data-part="2" /> {words.refused}
          </span>
        </div>
      )}
    </section>
  )
}

const changeText = ({ action, change }: KeyEvent): string | null => {
  if (action !== 'api-keys rename') return typeof change.label === 'string' ? change.label : null
  return words.renamedTo(String(change.labelBefore ?? words.noLabel), String(change.label ?? words.noLabel))
}

const whoText = ({ by, actor }: KeyEvent): string =>
  actor ?? (by.wallet === undefined ? words.byOperator : words.byMember(shortened(by.wallet, 14)))

/** What was done to a key, newest first, and by whom. */
export const KeyEvents = ({
  events,
  children,
}: {
  readonly events: readonly KeyEvent[]
  readonly children?: ReactNode
}) => (
  <section className="card" aria-label={words.history}>
    <h2>{words.history}</h2>
    {events.length === 0 && <p className="soft">{words.noHistory}</p>}
    <Timeline
      steps={events.map((event) => {
        const change = changeText(event)
        return {
          key: event.id,
          at: event.at,
          title: words.actions[event.action] ?? event.action,
          detail: (
            <span className="tight">
              {change !== null && <span>{change}</span>}
              <span>{whoText(event)}</span>
            </span>
          ),
          tone: event.action === 'api-keys revoke' ? ('bad' as const) : ('plain' as const),
        }
      })}
    />
    {children}
  </section>
)
