import { Notice } from '../../../components/feedback/Notice.js'
import { toneOfStatus } from '../../../components/values/Badge.js'
import { Time } from '../../../components/values/Time.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { texts } from '../../../texts/texts.js'
import { Facts } from '../data/Facts.js'
import type { MemberRequest } from './memberRequest.js'

const words = dashboardTexts.request

const OVER = ['success', 'refund']

/** The API's word for none is `N/A`. */
const known = (text: string | null): string | null => (text === 'N/A' ? null : text)

/** A reason in plain words, with the API's word for it. */
const reasonOf = (code: string | null) => {
  const told = known(code)
  if (told === null) return null
  const plain = words.reasons[told]
  return (
    <span className="tight">
      {plain !== undefined && <span>{plain}</span>}
      <code className="small soft">{told}</code>
    </span>
  )
}

/** The status in a sentence, what stands in the way, and what comes next and when. */
export const Now = ({ request }: { readonly request: MemberRequest }) => {
  const { status, problems, next, failReason, firstFailReason, refundFailReason, details } = request
  const todo = words.todo[status]
  const reasons = [
    { name: words.reason, value: reasonOf(firstFailReason ?? failReason) },
    { name: words.sentBack, value: firstFailReason === null ? null : reasonOf(failReason) },
    { name: words.refundReason, value: reasonOf(refundFailReason) },
    { name: words.details, value: known(details) },
  ]
  return (
    <section className="card now" data-tone={toneOfStatus(status)} aria-label={words.now}>
      <h2 className="now-sentence">{words.sentences[status] ?? texts.status[status] ?? status}</h2>
      {problems.length > 0 && (
        <Notice tone={status === 'failure' ? 'bad' : 'warn'}>
          <strong>{words.problems}</strong>
          <ul className="tight">
            {problems.map((problem) => (
              <li key={problem} className="wrap">
                {problem}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {reasons.some(({ value }) => value !== null) && <Facts facts={reasons} />}
      {todo !== undefined && (
        <div className="tight">
          <h2 className="minor">{words.todo.title}</h2>
          <p className="soft">{todo}</p>
        </div>
      )}
      <div className="tight">
        <h2 className="minor">{words.next}</h2>
        {next.length === 0 && <p className="soft">{OVER.includes(status) ? words.nextDone : words.nextUnknown}</p>}
        <ul className="tight">
          {next.map(({ text, at }) => (
            <li key={`${text} ${at}`} className="row between">
              <span className="soft">{text}</span>
              <span className="small soft">
                <Time at={at} />
              </span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
