import { trackTexts } from '../../../texts/trackTexts.js'
import { ABSENT, type Transfer } from './transfer.js'

const words = trackTexts

const nextOf = ({ status, refundFailReason }: Transfer): readonly string[] => {
  const { nextWords } = words
  if (status === 'waiting') return nextWords.waiting
  if (status === 'success') return nextWords.success
  if (status === 'refund') return nextWords.refund
  if (status === 'failure') return refundFailReason === ABSENT ? nextWords.failureAuto : nextWords.failureManual
  return nextWords.moving
}

const reasonText = (reasons: Readonly<Record<string, string>>, code: string): string =>
  reasons[code] ?? words.otherReason(code)

/** Why a transfer did not go as wanted. What a chain said is text of strangers: shown as it is, in its box. */
const Why = ({
  transfer: { failReason, firstFailReason, refundFailReason, details },
}: {
  readonly transfer: Transfer
}) => (
  <div className="tight">
    <h2>{words.why}</h2>
    {[firstFailReason, failReason].map((code) =>
      code === null ? null : (
        <p key={code}>
          {reasonText(words.failReasons, code)} <code className="small faint wrap">{code}</code>
        </p>
      ),
    )}
    {refundFailReason !== ABSENT && (
      <p>
        {reasonText(words.refundFailReasons, refundFailReason)}{' '}
        <code className="small faint wrap">{refundFailReason}</code>
      </p>
    )}
    {details !== null && (
      <details>
        <summary>{words.said}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
        <pre className="code track-said" data-wrap="true" tabIndex={0}>
          {details}
        </pre>
      </details>
    )}
  </div>
)

/** What happens next, and what its owner has to do. */
export const Outcome = ({ transfer }: { readonly transfer: Transfer }) => (
  <div className="stack">
    {transfer.failReason !== ABSENT && <Why transfer={transfer} />}
    <div className="tight">
      <h2>{words.next}</h2>
      <ul className="track-list">
        {nextOf(transfer).map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </div>
    {transfer.status !== 'success' && transfer.status !== 'refund' && (
      <details>
        <summary>{words.refundTitle}</summary>
        <p className="soft">{words.refundLead}</p>
      </details>
    )}
  </div>
)
