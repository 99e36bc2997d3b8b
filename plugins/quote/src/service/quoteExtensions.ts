import type { StepItemDraft } from '@causeway/core/chain'
import {
  type AddedTerms,
  type DepositStep,
  type PricedDraft,
  QUOTE_PHASES,
  type QuoteBody,
  type QuoteConditions,
  type QuoteDraft,
  type QuoteExtension,
  type QuoteIds,
  type QuotePart,
  type QuotePhase,
  type ReplacedDeposit,
  type StoredQuoteIds,
  validator,
} from '@causeway/core/plugin'
import type { TSchema } from '@sinclair/typebox'
import type { FeeRules } from './feeRules.js'

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
    const dividing = extensions.filter(({ divideFees }) => divideFees !== undefined).map(({ name }) => name)
    if (dividing.length > 1) {
      throw new Error(`Only one quote extension may divide fees, not ${dividing.join(' and ')}. Take one out.`)
    }
    this.#all = extensions
    this.#byPhase = new Map(
      QUOTE_PHASES.map((phase) => [phase, ordered(extensions.filter((extension) => extension.phase === phase))]),
    )
    this.#fields = new Set(extensions.flatMap(({ bodySchema }) => fieldsOf(bodySchema)))
    this.#checks = extensions.map(({ bodySchema }) => validator(bodySchema, 'body'))
  }

  /** The first flag that is set in a body, whatever else is wrong with it, and that only the key of an integrator may set; null: none. */
  keyFlagOf(body: unknown): string | null {
    const isSet = (flag: string) => typeof body === 'object' && body !== null && Reflect.get(body, flag) === true
    return this.#all.flatMap(({ keyFlags = [] }) => keyFlags).find(isSet) ?? null
  }

  /** True when an extension understands this body field. */
  declares(field: string): boolean {
    return this.#fields.has(field)
  }

  /** Names of the body fields that the extensions understand. */
  fields(): readonly string[] {
    return [...this.#fields]
  }

  /** Throws ServiceError `INVALID_REQUEST` when the body does not fit an extension's schema. */
  check(body: unknown): void {
    for (const check of this.#checks) check(body)
  }

  /** What the extensions together demand of the quote of a body. */
  conditions(body: QuoteBody): QuoteConditions {
    return Object.assign({}, ...this.#all.map((extension) => extension.conditions?.(body) ?? {}))
  }

  /** Lets the extensions refuse a quote by its price. */
  async priced(draft: QuoteDraft, priced: PricedDraft): Promise<void> {
    for (const extension of this.#all) await extension.priced?.(draft, priced)
  }

  /** What the extensions add to the fees of a draft, and who pays them. */
  feeRules(draft: QuoteDraft): FeeRules {
    const dividing = this.#all.find(({ divideFees }) => divideFees !== undefined)
    return {
      added: (deposit) => this.#all.flatMap((extension) => extension.amountFees?.(draft, deposit) ?? []),
      direct: (input) => this.#all.flatMap((extension) => extension.directFees?.(draft, input) ?? []),
      divided: (lines, deposit) => dividing?.divideFees?.(draft, lines, deposit) ?? lines,
    }
  }

  async run(phase: QuotePhase, draft: QuoteDraft): Promise<void> {
    for (const extension of this.#byPhase.get(phase) ?? []) await extension.apply(draft, draft.body)
  }

  /** What takes the place of the deposit step; null: nothing does. */
  async deposit(draft: QuoteDraft, ids: QuoteIds, step: DepositStep): Promise<ReplacedDeposit | null> {
    const replaced = await Promise.all(this.#all.map((extension) => extension.deposit?.(draft, ids, step)))
    const found = replaced.filter((item) => item !== undefined && item !== null)
    if (found.length > 1)
      throw new Error(
        'Two quote extensions replace the deposit of one quote: their conditions must exclude each other.',
      )
    return found[0] ?? null
  }

  /** What the terms keep beside those of every quote. */
  terms(draft: QuoteDraft): AddedTerms {
    const all = this.#all.map((extension): AddedTerms => extension.terms?.(draft) ?? {})
    return Object.assign({}, ...all, { earned: all.flatMap(({ earned = [] }) => earned) })
  }

  features(draft: QuoteDraft): readonly string[] {
    return this.#all.flatMap((extension) => extension.features?.(draft) ?? [])
  }

  /** Fields for what is stored as quoted; later extensions win. */
  quoted(draft: QuoteDraft, ids: QuoteIds): Readonly<Record<string, unknown>> {
    return Object.assign({}, ...this.#all.map((extension) => extension.quoted?.(draft, ids) ?? {}))
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

  /** What to write with the quote. */
  parts(draft: QuoteDraft, ids: StoredQuoteIds): readonly QuotePart[] {
    return this.#all.flatMap((extension) => extension.persist?.(draft, ids) ?? [])
  }
}
