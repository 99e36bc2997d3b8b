import type { StepItemDraft } from '@causeway/core/chain'
import {
  QUOTE_PHASES,
  type QuoteDraft,
  type QuoteExtension,
  type QuoteIds,
  type QuotePhase,
  type QuoteStatement,
  validator,
} from '@causeway/core/plugin'
import type { TSchema } from '@sinclair/typebox'

const fieldsOf = (schema: TSchema): readonly string[] => Object.keys(Object(schema.properties))

/** Orders extensions of one phase by `before` and `after`; throws `Error` spelling out a cycle. */
const ordered = (extensions: readonly QuoteExtension[]): readonly QuoteExtension[] => {
  const done: QuoteExtension[] = []
  const visit = (extension: QuoteExtension, path: readonly string[]): void => {
    if (done.includes(extension)) return
    if (path.includes(extension.name)) {
      throw new Error(`Quote extensions wait for each other: ${[...path, extension.name].join(' -> ')}`)
    }
    const earlier = extensions.filter(
      (other) => extension.after?.includes(other.name) || other.before?.includes(extension.name),
    )
    for (const other of earlier) visit(other, [...path, extension.name])
    done.push(extension)
  }
  for (const extension of extensions) visit(extension, [])
  return done
}

/** The quote extensions of the other plugins, in the order they run. */
export class QuoteExtensions {
  readonly #all: readonly QuoteExtension[]
  readonly #byPhase: ReadonlyMap<QuotePhase, readonly QuoteExtension[]>
  readonly #fields: ReadonlySet<string>
  readonly #checks: readonly ((body: unknown) => void)[]

  constructor(extensions: readonly QuoteExtension[]) {
    this.#all = extensions
    this.#byPhase = new Map(
      QUOTE_PHASES.map((phase) => [phase, ordered(extensions.filter((extension) => extension.phase === phase))]),
    )
    this.#fields = new Set(extensions.flatMap(({ bodySchema }) => fieldsOf(bodySchema)))
    this.#checks = extensions.map(({ bodySchema }) => validator(bodySchema, 'body'))
  }

  /** True when an extension understands this body field. */
  declares(field: string): boolean {
    return this.#fields.has(field)
  }

  /** Throws ServiceError `INVALID_REQUEST` when the body does not fit an extension's schema. */
  check(body: unknown): void {
    for (const check of this.#checks) check(body)
  }

  async run(phase: QuotePhase, draft: QuoteDraft): Promise<void> {
    for (const extension of this.#byPhase.get(phase) ?? []) await extension.apply(draft, draft.body)
  }

  /** Items to put before the deposit's own, in the order of the extensions. */
  steps(draft: QuoteDraft, ids: QuoteIds): readonly StepItemDraft[] {
    return this.#all.flatMap((extension) => extension.steps?.(draft, ids) ?? [])
  }

  /** Fields for `details` of the answer; later extensions win. */
  details(draft: QuoteDraft): Readonly<Record<string, unknown>> {
    return Object.assign({}, ...this.#all.map((extension) => extension.details?.(draft) ?? {}))
  }

  /** Fields for the answer; later extensions win. */
  response(draft: QuoteDraft): Readonly<Record<string, unknown>> {
    return Object.assign({}, ...this.#all.map((extension) => extension.response?.(draft) ?? {}))
  }

  /** What to write in the quote's transaction. */
  statements(draft: QuoteDraft, ids: QuoteIds): readonly QuoteStatement[] {
    return this.#all.flatMap((extension) => extension.persist?.(draft, ids) ?? [])
  }
}
