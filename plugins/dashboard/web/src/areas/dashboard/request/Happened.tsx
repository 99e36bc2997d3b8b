import { Timeline } from '../../../components/data/Timeline.js'
import { type Tone, toneOfStatus } from '../../../components/values/Badge.js'
import { Copyable } from '../../../components/values/Copyable.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { texts } from '../../../texts/texts.js'
import { useChains } from '../data/chains.js'
import type { RequestEvent } from './memberRequest.js'

const words = dashboardTexts.request

const TONES: Readonly<Record<string, Tone>> = {
  quoted: 'plain',
  deposit: 'good',
  decision: 'plain',
  status: 'plain',
  payment: 'plain',
  sent: 'busy',
  included: 'good',
  reorg: 'bad',
}

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A status is told in the words that people know it by. */
const titleOf = ({ kind, text }: RequestEvent): string =>
  kind === 'status' ? words.becomes(texts.status[text] ?? text) : upper(text)

const toneOf = ({ kind, text }: RequestEvent): Tone =>
  kind === 'status' && ['success', 'failure', 'refund'].includes(text) ? toneOfStatus(text) : (TONES[kind] ?? 'plain')

/** Each step with why, and with what anybody can look up. */
export const Happened = ({ timeline }: { readonly timeline: readonly RequestEvent[] }) => (
  <section className="card" aria-label={words.timeline}>
    <h2>{words.timeline}</h2>
    <Timeline
      steps={timeline.map((event, at) => ({
        key: `${event.at} ${event.kind} ${at}`,
        at: event.at,
        title: <span className="wrap">{titleOf(event)}</span>,
        tone: toneOf(event),
        ...(event.cause === null && event.txId === null && event.evidence === null
          ? {}
          : { detail: <EventDetail event={event} /> }),
      }))}
    />
  </section>
)

const EventDetail = ({ event: { cause, chainId, txId, explorerUrl, evidence } }: { readonly event: RequestEvent }) => {
  const { nameOf } = useChains()
  const chain = chainId === null ? '' : nameOf(chainId)
  return (
    <div className="tight">
      {cause !== null && (
        <span>
          {words.why}: {words.reasons[cause] ?? cause}
        </span>
      )}
      {txId !== null && <Copyable text={txId} what={words.transaction} short href={explorerUrl} />}
      {evidence !== null && (
        <span>
          {words.evidence(evidence.height, chain)}
          {evidence.depth !== null && `, ${words.depth(evidence.depth)}`}
          {evidence.hash !== null && (
            <>
              {' '}
              <Copyable text={evidence.hash} what={words.block} short />
            </>
          )}
        </span>
      )}
    </div>
  )
}
