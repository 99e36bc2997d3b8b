import { Fragment, type ReactNode } from 'react'

export interface Fact {
  readonly name: string
  /** Null: not known, and left out. */
  readonly value: ReactNode | null
}

/** Names with their values. `side`: in a narrow column. */
export const Facts = ({ facts, side = false }: { readonly facts: readonly Fact[]; readonly side?: boolean }) => (
  <dl className={side ? 'facts side-facts' : 'facts'}>
    {facts.map(({ name, value }) =>
      value === null ? null : (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ),
    )}
  </dl>
)
