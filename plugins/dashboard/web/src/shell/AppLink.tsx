import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import type { AddressValues } from './address.js'

export interface AppLinkProps extends Omit<ComponentProps<'a'>, 'href' | 'target'> {
  /** A path of these pages, without a query. */
  readonly to: string
  readonly search?: AddressValues
}

/** A link to another page of the areas, which opens without loading anew. */
export const AppLink = ({ to, search, ...rest }: AppLinkProps) => (
  <Link to={to} {...(search === undefined ? {} : { search: () => search })} {...rest} />
)
