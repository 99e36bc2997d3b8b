import { useLiveState } from '../api/statusEvents.js'
import { Badge } from '../components/values/Badge.js'
import { texts } from '../texts/texts.js'

/** Whether what is shown changes by itself at once, or every few seconds. */
export const LiveBadge = () => {
  const isLive = useLiveState() === 'live'
  return (
    <span title={isLive ? texts.shell.liveHint : texts.shell.pollingHint}>
      <Badge tone={isLive ? 'good' : 'plain'}>{isLive ? texts.shell.live : texts.shell.polling}</Badge>
    </span>
  )
}
