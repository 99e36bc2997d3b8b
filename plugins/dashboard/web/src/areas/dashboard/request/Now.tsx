import { toneOfStatus } from '../../../components/Badge.js'
import { Notice } from '../../../components/Notice.js'
import { Time } from '../../../components/Time.js'
import { texts } from '../../../texts/texts.js'
import type { MemberRequest } from './memberRequest.js'

const words = texts.dashboard.request

const OVER = ['success', 'refund']

/** The status in a sentence, what stands in the way, and what comes next and when. */
export const Now = ({ request }: { readonly request: MemberRequest }) => {
  const { status, problems, next, failReason, refundFailReason, details } = request
  const todo = words.todo[status]
  return (
    <section className="card now" data-tone={toneOfStatus(status)} aria-label={words.now}>
      <p className="now-sentence">{words.sentences[status] ?? texts.status[status] ?? status}</p>
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
      <Reasons
        reasons={[
          [words.reason, failReason],
          [words.refundReason, refundFailReason],
          [words.details, details],
        ]}
      />
      {todo !== undefined && (
        <div className="tight">
          <h3>{words.todo.title}</h3>
          <p className="soft">{todo}</p>
        </div>
      )}
      <div className="tight">
        <h3>{words.next}</h3>
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

const Reasons = ({ reasons }: { readonly reasons: readonly (readonly [string, string | null])[] }) => {
  const known = reasons.filter(([, text]) => text !== null && text !== 'N/A')
  if (known.length === 0) return null
  return (
    <dl className="facts">
      {known.map(([name, text]) => (
        <FactText key={name} name={name} text={text ?? ''} />
      ))}
    </dl>
  )
}

const FactText = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{text}</dd>
  </>
)
