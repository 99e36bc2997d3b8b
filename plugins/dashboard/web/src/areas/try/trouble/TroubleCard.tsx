import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { callApi } from '../../../api/callApi.js'
import { Button } from '../../../components/controls/Button.js'
import { Notice } from '../../../components/feedback/Notice.js'
import { Copyable } from '../../../components/values/Copyable.js'
import { tryTexts } from '../../../texts/tryTexts.js'

const words = tryTexts.trouble

/** What `POST /try/api/trouble` answers. */
interface MadeTrouble {
  readonly kind: string
  readonly transactionId: string | null
  readonly requestId: string | null
  readonly says: string
}

const Made = ({ made: { transactionId, requestId, says } }: { readonly made: MadeTrouble }) => {
  const id = requestId ?? transactionId
  return (
    <div className="stack trouble-made" role="status">
      <blockquote>
        <span className="small faint">{words.says}</span>
        <p>“{says}”</p>
      </blockquote>
      <dl className="facts">
        {transactionId !== null && (
          <>
            <dt>{words.payment}</dt>
            <dd>
              <Copyable text={transactionId} what={words.payment} short />
            </dd>
          </>
        )}
        {requestId !== null && (
          <>
            <dt>{words.id}</dt>
            <dd>
              <Copyable text={requestId} what={words.id} short />
            </dd>
          </>
        )}
      </dl>
      <div className="row">
        {id !== null && (
          <Button kind="primary" asChild>
            <a href={`/console/explain/${encodeURIComponent(id)}`}>{words.find}</a>
          </Button>
        )}
        <a href="/console/parked">{words.findParked}</a>
      </div>
      <div className="tight">
        <p className="small soft">{words.signIn}</p>
        <Copyable text={words.command} what={words.commandWhat} />
      </div>
    </div>
  )
}

/** Makes a payment that gets stuck, for whoever wants to see how it is found and mended. */
export const TroubleCard = ({ isAway }: { readonly isAway: boolean }) => {
  const [making, setMaking] = useState<string | null>(null)
  const [made, setMade] = useState<MadeTrouble | null>(null)
  const [trouble, setTrouble] = useState<string | null>(null)
  const make = async (kind: string) => {
    setMaking(kind)
    setTrouble(null)
    try {
      setMade(await callApi<MadeTrouble>('/try/api/trouble', { method: 'POST', body: { kind } }))
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : String(error))
    } finally {
      setMaking(null)
    }
  }
  return (
    <section className="card" aria-label={words.title}>
      <h2>{words.title}</h2>
      <p className="small soft">{words.lead}</p>
      <ul className="troubles">
        {words.kinds.map(([kind, name, what]) => (
          <li key={kind}>
            <span className="tight">
              <strong>{name}</strong>
              <span className="small soft">{what}</span>
            </span>
            <Button
              size="small"
              disabled={isAway || making !== null}
              onClick={() => void make(kind)}
              aria-label={`${words.make}: ${name}`}
            >
              <TriangleAlert aria-hidden />
              {making === kind ? words.making : words.make}
            </Button>
          </li>
        ))}
      </ul>
      {trouble !== null && (
        <Notice tone="bad">
          <span className="wrap">{trouble}</span>
        </Notice>
      )}
      {made !== null && <Made made={made} />}
    </section>
  )
}
