import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'

/** One page of an area. */
export interface AreaPage {
  /** The word of the address behind the area, or two with a slash; empty: the first page. */
  readonly path: string
  readonly title: string
  readonly icon: LucideIcon
  /** The key that follows `g` to go there. */
  readonly key?: string
  /** Heading in the navigation that it stands under. */
  readonly group?: string
  /** `id` is the next word of the address, or null. */
  readonly component: ComponentType<{ readonly id: string | null }>
  /** Left out of the navigation, for example what is reached from elsewhere. */
  readonly hidden?: boolean
}

/** Something that the palette can do on any page of an area. */
export interface AreaCommand {
  readonly text: string
  act(): void
}
