import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Clock } from '@causeway/core'
import type { TrackedRequest, TransferAnswers } from '@causeway/core/plugin'
import { BUILT } from '../assets/builtPages.js'
import type { Area } from './pagePaths.js'
import type { DrawnView, PageFacts } from './shellPage.js'

export interface DrawnViewsDeps {
  /** Null where no plugin tells of transfers. */
  readonly transfers: TransferAnswers | null
  readonly clock: Clock
  readonly log: { error(fields: object, message: string): void }
  facts(area: Area): PageFacts
  /** Where the build left the pages. */
  readonly folder?: string
}

/** Which view of an area is asked for, and by whom. */
export interface AskedView {
  /** As the address names it; empty where it names none. */
  readonly id: string
  /** What it names; null: nothing that is known. */
  readonly found: TrackedRequest | null
  readonly isSignedIn: boolean
}

type Facts = PageFacts & { readonly nonce: string; readonly drawn: DrawnView['of'] }

/** What the build makes of `web/src/draw.tsx`. */
interface Drawing {
  drawSignIn(facts: Facts): string
  drawTrack(facts: Facts, id: string): string
}

/**
 * Draws in the service what needs no session: the form that opens one, and where a transfer is. What cannot be drawn here is left to the
 * browser, and told in the log.
 */
export class DrawnViews {
  readonly #deps: DrawnViewsDeps
  /** Forms, which are the same for everybody. */
  readonly #forms = new Map<Area, DrawnView>()

  constructor(deps: DrawnViewsDeps) {
    this.#deps = deps
  }

  /** The view that an area begins with; null where the browser draws it: behind a session, and of a transfer that nobody knows. */
  async draw(area: Area, { id, found, isSignedIn }: AskedView): Promise<DrawnView | null> {
    if (area === 'track') return id === '' ? this.#form(area) : this.#transfer(id, found)
    return area === 'try' || isSignedIn ? null : this.#form(area)
  }

  async #form(area: Area): Promise<DrawnView | null> {
    const known = this.#forms.get(area)
    if (known !== undefined) return known
    const drawn = await this.#drawn(area, null, (drawing, facts) =>
      area === 'track' ? drawing.drawTrack(facts, '') : drawing.drawSignIn(facts),
    )
    if (drawn !== null) this.#forms.set(area, drawn)
    return drawn
  }

  async #transfer(id: string, found: TrackedRequest | null): Promise<DrawnView | null> {
    const transfer = found === null ? null : ((await this.#deps.transfers?.tell(found)) ?? null)
    return transfer === null ? null : this.#drawn('track', transfer, (drawing, facts) => drawing.drawTrack(facts, id))
  }

  async #drawn(
    area: Area,
    transfer: object | null,
    draw: (drawing: Drawing, facts: Facts) => string,
  ): Promise<DrawnView | null> {
    const { clock, log, facts, folder = BUILT } = this.#deps
    const of = { at: clock.now(), transfer }
    try {
      // CAST: made by the build of this package; read once, when it is first needed.
      const drawing = (await import(pathToFileURL(join(folder, 'draw/draw.js')).href)) as Drawing
      return { html: draw(drawing, { ...facts(area), nonce: '', drawn: of }), of }
    } catch (error) {
      log.error({ err: error, area }, 'A page could not be drawn here; browsers draw it')
      return null
    }
  }
}
