/** What the page was told by the service that sent it. */
export interface Boot {
  readonly area: 'dashboard' | 'console' | 'track' | 'try'
  readonly network: string
  readonly sandbox: boolean
  readonly nonce: string
  readonly extensions: readonly ExtensionFacts[]
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

export const boot: Boot = read()
