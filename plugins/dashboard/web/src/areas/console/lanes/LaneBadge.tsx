import { Badge, type Tone } from '../../../components/values/Badge.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import type { LaneReport } from './laneReport.js'

const words = consoleTexts.lanes

const TONES: Readonly<Record<string, Tone>> = {
  open: 'good',
  limited: 'warn',
  settling: 'busy',
  quarantined: 'bad',
  'no-key': 'plain',
  unused: 'plain',
}

/** The state of a lane, and whether its key is one of before. */
export const LaneBadge = ({ lane: { state, former } }: { readonly lane: LaneReport }) => (
  <Badge tone={TONES[state] ?? 'plain'}>
    {state === 'no-key' && former ? words.former : (words.states[state] ?? state)}
  </Badge>
)
