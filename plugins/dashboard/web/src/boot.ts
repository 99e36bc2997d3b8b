/** What the page was told by the service that sent it. */
export interface Boot {
  readonly area: 'dashboard' | 'console' | 'track' | 'try'
  readonly network: string
  readonly sandbox: boolean
  readonly nonce: string
  readonly extensions: readonly ExtensionFacts[]
  /** With what its first view was drawn before it was sent; null where the browser draws it. */
  readonly drawn: { readonly at: number; readonly transfer: unknown } | null
}

/** A page or panel of another plugin; its script comes from the same origin. */
export interface ExtensionFacts {
  readonly id: string
  readonly title: string
  readonly area: 'dashboard' | 'console'
  readonly place: 'page' | 'panel'
  readonly script: string
}

const read = (): Boot => {
  const text = document.querySelector<HTMLMetaElement>('meta[name="causeway"]')?.content ?? ''
  // CAST: written by the service that sent this page.
  return JSON.parse(text) as Boot
}

/** What this page is told; where there is no page, in the service that draws one, what that says before it draws. */
export let boot: Boot =
  typeof document === 'undefined'
    ? { area: 'track', network: '', sandbox: false, nonce: '', extensions: [], drawn: null }
    : read()

/** Draws the next page as one of these facts. */
export const bootAs = (facts: Boot): void => {
  boot = facts
}
