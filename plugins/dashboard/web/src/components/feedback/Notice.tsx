import { CircleAlert, CircleCheck, Info, LoaderCircle, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Tone } from '../values/Badge.js'

const ICONS = { good: CircleCheck, warn: TriangleAlert, bad: CircleAlert, busy: LoaderCircle, plain: Info } as const

/** Something that has to be said where it stands. */
export const Notice = ({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ReactNode }) => {
  const Icon = ICONS[tone]
  return (
    <div className="notice" data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon className="icon" aria-hidden />
      <div>{children}</div>
    </div>
  )
}
