import type { ReactNode } from 'react'

/** A part of a page under a heading. */
export const Card = ({
  title,
  aside,
  children,
}: {
  readonly title: string
  readonly aside?: ReactNode
  readonly children: ReactNode
}) => (
  <section className="card" aria-label={title}>
    <div className="card-head">
      <h2>{title}</h2>
      {aside}
    </div>
    {children}
  </section>
)

/** One fact of a `dl` of facts. */
export const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

/** One number with its name, and what explains it. */
export const Stat = ({
  name,
  value,
  more,
}: {
  readonly name: string
  readonly value: ReactNode
  readonly more?: ReactNode
}) => (
  <div className="stat">
    <dt>{name}</dt>
    <dd>{value}</dd>
    {more !== undefined && <dd className="small">{more}</dd>}
  </div>
)
