import { Badge, type Tone } from '../../../components/values/Badge.js'
import { texts } from '../../../texts/texts.js'
import type { Delivery } from './webhook.js'

const TONES: Readonly<Record<string, Tone>> = { waiting: 'busy', delivered: 'good', parked: 'bad' }

export const DeliveryState = ({ state }: Pick<Delivery, 'state'>) => (
  <Badge tone={TONES[state] ?? 'plain'}>{texts.dashboard.webhooks.delivery[state] ?? state}</Badge>
)
