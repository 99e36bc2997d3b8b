import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Clock } from '@causeway/core'
import type { TransferAnswers } from '@causeway/core/plugin'
import { BUILT } from '../assets/builtPages.js'
import type { Area } from './pagePaths.js'
import type { DrawnView, PageFacts } from './shellPage.js'

export interface DrawnViewsDeps {
  /** Null where no plugin tells of transfers. */
  readonly transfers: TransferAnswers | null
  readonly clock: Clock
  facts(area: Area): PageFacts
  /** Where the build left the pages. */
  readonly folder?: string
}

type Facts = PageFacts & { readonly nonce: string; readonly drawn: DrawnView['of'] }

/** What the build makes of `web/src/draw.tsx`. */
interface Drawing {
  drawSignIn(facts: Facts): string
  drawTrack(facts: Facts, id: string): string
}

/** Draws in the service what needs no session: the form that opens one, and where a transfer is. */
export class DrawnViews {
  readonly #deps: DrawnViewsDeps
  #drawing: Promise<Drawing> | undefined

  constructor(deps: DrawnViewsDeps) {
    this.#deps = deps
  }

  /** The view that an area begins with; null where the browser draws it: behind a session, and of a transfer that nobody knows. */
  async draw(area: Area, id: string | null, isSignedIn: boolean): Promise<DrawnView | null> {
    if (area === 'track') return this.#track(id?.trim() ?? '')
    if (area === 'try' || isSignedIn) return null
    const { drawSignIn } = await this.#load()
    const of = { at: this.#deps.clock.now(), transfer: null }
    return { html: drawSignIn(this.#factsOf(area, of)), of }
  }

  async #track(id: string): Promise<DrawnView | null> {
    const { transfers, clock } = this.#deps
    const transfer = id === '' || transfers === null ? null : await transfers.find(id)
    if (id !== '' && transfer === null) return null
    const { drawTrack } = await this.#load()
    const of = { at: clock.now(), transfer }
    return { html: drawTrack(this.#factsOf('track', of), id), of }
  }

  #factsOf(area: Area, drawn: DrawnView['of']): Facts {
    return { ...this.#deps.facts(area), nonce: '', drawn }
  }

  #load(): Promise<Drawing> {
    const { folder = BUILT } = this.#deps
    // CAST: made by the build of this package.
    this.#drawing ??= import(pathToFileURL(join(folder, 'draw/draw.js')).href) as Promise<Drawing>
    return this.#drawing
  }
}
