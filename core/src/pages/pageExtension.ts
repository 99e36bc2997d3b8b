import { token } from '../container/tokens.js'

/**
 * A page, or a panel on the first page, that a plugin adds to the dashboard of integrators or to the console of operators. It is a
 * script of this service like the pages' own, under their policy: no inline script, no other origin, no markup from text.
 */
export interface PageExtension {
  /** Small letters, digits and hyphens; unique in a deployment. */
  readonly id: string
  /** As it stands in the navigation, or over the panel. */
  readonly title: string
  readonly area: 'dashboard' | 'console'
  readonly place: 'page' | 'panel'
  /**
   * Text of an ECMAScript module that exports `mount(element, context)`: it shows itself in the element and returns what takes it
   * away again. `context` has `call(path, options)` for operations of this service (with the session, changing calls too), `session`
   * (who is signed in), `theme` (`light` or `dark`) and `navigate(path)`.
   */
  readonly module: string
}

/** What plugins add to the pages; shown where the plugin dashboard is there. */
export const PAGE_EXTENSIONS = token<readonly PageExtension[]>('core/PageExtensions')
