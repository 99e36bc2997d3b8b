import { Badge, type Tone } from '../../../components/values/Badge.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import type { Delivery } from './webhook.js'

const TONES: Readonly<Record<string, Tone>> = { waiting: 'busy', delivered: 'good', parked: 'bad' }

export const DeliveryState = ({ state }: Pick<Delivery, 'state'>) => (
  <Badge tone={TONES[state] ?? 'plain'}>{dashboardTexts.webhooks.delivery[state] ?? state}</Badge>
)
