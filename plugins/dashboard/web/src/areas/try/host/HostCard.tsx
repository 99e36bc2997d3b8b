import { Unplug } from 'lucide-react'
import { Button } from '../../../components/controls/Button.js'
import { Notice } from '../../../components/feedback/Notice.js'
import { Badge } from '../../../components/values/Badge.js'
import { Time } from '../../../components/values/Time.js'
import { texts } from '../../../texts/texts.js'
import { tryTexts } from '../../../texts/tryTexts.js'
import type { SandboxHost } from '../sandbox/sandbox.js'
import { secondsText } from '../watch/runs.js'
import { HostLog } from './HostLog.js'
import type { Kill } from './kill.js'

const words = tryTexts.host

export interface HostCardProps {
  readonly host: SandboxHost
  readonly isAway: boolean
  readonly killed: Kill | null
  readonly trouble: string | null
  readonly isAsking: boolean
  kill(): void
  /** Ids whose lines are marked. */
  readonly marked: readonly string[]
}

const KillNotice = ({ killed }: { readonly killed: Kill }) =>
  killed.next === null ? (
    <Notice tone="warn">{words.dead(killed.pid)}</Notice>
  ) : (
    <Notice tone="good">{words.back(killed.pid, killed.next.pid, secondsText(killed.next.ms))}</Notice>
  )

/** The process of the service: whether it lives, since when, and the button that ends it. */
export const HostCard = ({ host, isAway, killed, trouble, isAsking, kill, marked }: HostCardProps) => {
  const isDown = isAway || killed?.next === null
  return (
    <section className="card" aria-label={words.title}>
      <div className="card-head">
        <h2>{words.title}</h2>
        <Badge tone={isDown ? 'bad' : 'good'}>{isDown ? words.down : words.running}</Badge>
      </div>
      <p className="small soft">{words.lead}</p>
      <dl className="facts">
        <dt>{words.process}</dt>
        <dd className="number">{host.pid}</dd>
        <dt>{words.since}</dt>
        <dd>{host.startedAt === null ? texts.data.none : <Time at={host.startedAt} />}</dd>
        <dt>{words.restarts}</dt>
        <dd>{host.restarts === 0 ? words.never : words.times(host.restarts)}</dd>
      </dl>
      <Button kind="danger" onClick={kill} disabled={isDown || isAsking}>
        <Unplug aria-hidden />
        {isAsking ? words.killing : words.kill}
      </Button>
      {trouble !== null && (
        <Notice tone="warn">
          <span className="wrap">{trouble}</span>
        </Notice>
      )}
      {killed !== null && <KillNotice killed={killed} />}
      <HostLog marked={marked} />
    </section>
  )
}
