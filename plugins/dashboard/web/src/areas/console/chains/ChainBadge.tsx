import { Badge, type Tone } from '../../../components/values/Badge.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { type ChainState, type ChainStatus, stateOfChain } from './chainStatus.js'

const words = consoleTexts.chains

const TONES: Readonly<Record<ChainState, Tone>> = {
  well: 'good',
  off: 'plain',
  halted: 'bad',
  unreachable: 'bad',
  quorum: 'bad',
  alert: 'warn',
}

/** The one word for a chain. */
export const ChainBadge = ({ chain }: { readonly chain: ChainStatus }) => {
  const state = stateOfChain(chain)
  return <Badge tone={TONES[state]}>{words.states[state]}</Badge>
}
