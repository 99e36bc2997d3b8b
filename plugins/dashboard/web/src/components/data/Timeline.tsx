import type { ReactNode } from 'react'
import type { Tone } from '../values/Badge.js'
import { Time } from '../values/Time.js'

export interface TimelineStep {
  readonly key: string
  readonly at: string | number | null
  readonly title: ReactNode
  readonly detail?: ReactNode
  /** `ahead`: has not happened yet. */
  readonly tone?: Tone | 'ahead'
}

/** What happened, in its order, and what comes next. */
export const Timeline = ({ steps }: { readonly steps: readonly TimelineStep[] }) => (
  <ol className="timeline">
    {steps.map(({ key, at, title, detail, tone = 'plain' }) => (
      <li key={key} data-tone={tone}>
        <div className="tight">
          <div className="row between">
            <strong>{title}</strong>
            {at !== null && (
              <span className="small soft">
                <Time at={at} />
              </span>
            )}
          </div>
          {detail !== undefined && <div className="soft small wrap">{detail}</div>}
        </div>
      </li>
    ))}
  </ol>
)
