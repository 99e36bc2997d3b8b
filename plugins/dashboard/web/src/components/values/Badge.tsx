import type { ReactNode } from 'react'
import { texts } from '../../texts/texts.js'

export type Tone = 'good' | 'warn' | 'bad' | 'busy' | 'plain'

/** A word for a state, never by its colour alone. */
export const Badge = ({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <span className="badge" data-tone={tone}>
    {children}
  </span>
)

const TONES: Readonly<Record<string, Tone>> = {
  waiting: 'plain',
  depositing: 'busy',
  pending: 'busy',
  submitted: 'busy',
  success: 'good',
  failure: 'bad',
  refund: 'warn',
}

/** How the status of a request reads and looks, everywhere the same. */
export const toneOfStatus = (status: string): Tone => TONES[status] ?? 'plain'
export const StatusBadge = ({ status }: { readonly status: string }) => (
  <Badge tone={toneOfStatus(status)}>{texts.status[status] ?? status}</Badge>
)
