import { Badge } from '../../../components/values/Badge.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import type { ApiKey } from '../data/keys.js'

const words = dashboardTexts.keys

/** What is special about a key. */
export const KeyBadges = ({ apiKey }: { readonly apiKey: Pick<ApiKey, 'elevated' | 'trusted' | 'revokedAt'> }) => (
  <>
    {apiKey.revokedAt !== null && <Badge tone="bad">{words.states.revoked}</Badge>}
    {apiKey.elevated && (
      <span title={words.hints.elevated}>
        <Badge tone="busy">{words.states.elevated}</Badge>
      </span>
    )}
    {apiKey.trusted && (
      <span title={words.hints.trusted}>
        <Badge>{words.states.trusted}</Badge>
      </span>
    )}
  </>
)
