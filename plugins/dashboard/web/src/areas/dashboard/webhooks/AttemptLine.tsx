import { Time } from '../../../components/values/Time.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import type { Attempt } from './webhook.js'

const words = dashboardTexts.webhooks

/** One call to an endpoint: what it answered, or why it did not. */
export const AttemptLine = ({
  attempt: { at, milliseconds, status, error, answer },
}: {
  readonly attempt: Attempt
}) => (
  <div className="tight attempt">
    <div className="row between">
      <span>{status === null ? words.noAnswer : words.answered(status)}</span>
      <span className="small number">
        {words.milliseconds(milliseconds)} · <Time at={at} />
      </span>
    </div>
    {error !== null && <span className="small wrap">{error}</span>}
    {answer !== null && answer !== '' && (
      <div className="tight">
        <span className="small soft">{words.answer}</span>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
        <pre className="code short" data-wrap="true" tabIndex={0}>
          {answer}
        </pre>
      </div>
    )}
  </div>
)
