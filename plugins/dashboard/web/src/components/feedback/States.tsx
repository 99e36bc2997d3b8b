import { CloudOff, Inbox } from 'lucide-react'
import type { ReactNode } from 'react'
import { texts } from '../../texts/texts.js'
import { Button } from '../controls/Button.js'

/** In place of a list that has nothing in it: what would be there, and how it comes there. */
export const EmptyState = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className="state">
    <Inbox aria-hidden />
    <h2>{title}</h2>
    {children}
  </div>
)

/** In place of what could not be loaded. */
export const FailedState = ({ error, retry }: { readonly error: unknown; retry?(): void }) => (
  <div className="state" role="alert">
    <CloudOff aria-hidden />
    <h2>{texts.failures.title}</h2>
    <p>{error instanceof Error ? error.message : String(error)}</p>
    {retry !== undefined && <Button onClick={retry}>{texts.failures.retry}</Button>}
  </div>
)

/** As tall as what will stand there, so that nothing jumps. */
export const Skeleton = ({ lines = 3 }: { readonly lines?: number }) => (
  <div className="stack" role="status" aria-label={texts.data.loading}>
    {Array.from({ length: lines }, (_, at) => `line ${at}`).map((key) => (
      <div key={key} className="skeleton" />
    ))}
  </div>
)

export interface LoadedProps<Data> {
  readonly query: { readonly data: Data | undefined; readonly error: unknown; refetch(): unknown }
  readonly lines?: number
  children(data: Data): ReactNode
}

/** Shows what a query brought; meanwhile its skeleton; where it failed with nothing to show, why. */
export const Loaded = <Data,>({ query, lines, children }: LoadedProps<Data>) => {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <FailedState error={query.error} retry={() => void query.refetch()} />
  return <Skeleton {...(lines === undefined ? {} : { lines })} />
}
