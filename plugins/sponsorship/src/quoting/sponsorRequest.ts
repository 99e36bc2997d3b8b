import { BPS, ServiceError } from '@causeway/core'
import {
  FEE_COMPONENTS,
  type FeeComponent,
  type FixedRate,
  ONE_USD,
  parseUsd,
  type QuoteBody,
  type Usd,
} from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'

/** Body fields of this capability (wire.md 1.2 "Sponsorship and fees"); core refuses the others without the flag, and shares out of range. */
export const SponsorBody = Type.Object({
  subsidizeFees: Type.Optional(Type.Boolean({ description: 'The linked wallet of the key pays the fees' })),
  subsidizationBps: Type.Optional(Type.Unknown({ description: 'Share of each selected fee, basis points' })),
  maxSubsidizationAmount: Type.Optional(Type.String({ description: 'Most that it pays, millionths of a dollar' })),
  sponsoredFeeComponents: Type.Optional(
    Type.Array(Type.String(), { description: 'execution, swap, relay, app, rent; without it all but rent' }),
  ),
  subsidizeRent: Type.Optional(Type.Boolean({ description: 'Adds rent to them' })),
  fixedRate: Type.Optional(Type.String({ description: '"input:output", as "1:1"; between two stablecoins' })),
})
export type SponsorBody = Static<typeof SponsorBody>

/** What a body asks of its sponsor. */
export interface SponsorRequest {
  readonly selected: ReadonlySet<FeeComponent>
  /** Null: not named, so all of what is selected. */
  readonly bps: number | null
  /** Null: no cap. */
  readonly cap: Usd | null
  /** As it was asked for. */
  readonly capText: string | null
  readonly fixedRate: FixedRate | null
}

const WITHOUT_RENT: ReadonlySet<FeeComponent> = new Set(FEE_COMPONENTS.filter((component) => component !== 'rent'))
const MICRO_USD: Usd = ONE_USD / 1_000_000n
const AMOUNT = /^(0|[1-9][0-9]{0,59})$/
const RATE = /^([0-9]{1,18}(?:\.[0-9]{1,18})?):([0-9]{1,18}(?:\.[0-9]{1,18})?)$/

const refused = (message: string): ServiceError => new ServiceError('INVALID_SUBSIDIZATION', message)

const componentNamed = (name: string): FeeComponent => {
  // The platform's fee has two names on the wire (wire.md K.1 12).
  const component = FEE_COMPONENTS.find((one) => one === (name === 'relay' ? 'platform' : name))
  if (component !== undefined) return component
  throw refused(
    `body.sponsoredFeeComponents names ${JSON.stringify(name.slice(0, 40))}; it may name execution, swap, relay (or platform), app, rent`,
  )
}

const readSelected = ({ sponsoredFeeComponents: names, subsidizeRent }: SponsorBody): ReadonlySet<FeeComponent> => {
  if (names?.length === 0)
    throw refused('body.sponsoredFeeComponents is empty; leave it out, or name what is sponsored')
  const selected = names === undefined ? WITHOUT_RENT : new Set(names.map(componentNamed))
  return subsidizeRent === true ? new Set([...selected, 'rent']) : selected
}

const readCap = (text: string | undefined): Usd | null => {
  if (text === undefined) return null
  if (AMOUNT.test(text)) return BigInt(text) * MICRO_USD
  throw refused('body.maxSubsidizationAmount must be the text of a whole number of millionths of a US dollar')
}

const readRate = (text: string | undefined): FixedRate | null => {
  if (text === undefined) return null
  const [, first, second] = RATE.exec(text) ?? []
  const [output, input] = [parseUsd(first), parseUsd(second)]
  if (output !== null && input !== null && output > 0n && input > 0n) return { output, input }
  throw new ServiceError(
    'INVALID_REQUEST',
    'body.fixedRate must be two numbers above 0 with a colon between them, as "1:1" or "1:1.0005"',
  )
}

/** A fixed rate leaves the user no fee: who guarantees it bears them all (wire.md D.8). */
const checkRate = ({ fixedRate, subsidizationBps, sponsoredFeeComponents }: SponsorBody): void => {
  if (fixedRate === undefined || (subsidizationBps === undefined && sponsoredFeeComponents === undefined)) return
  throw refused(
    'body.fixedRate does not go with body.subsidizationBps or body.sponsoredFeeComponents: its sponsor bears all fees',
  )
}

/**
 * What a body asks of a sponsor; null: nothing. Throws ServiceError `INVALID_SUBSIDIZATION`, and `INVALID_REQUEST` for a rate that is none.
 */
export const readSponsorRequest = (body: QuoteBody): SponsorRequest | null => {
  const fixedRate = readRate(body.fixedRate)
  if (body.subsidizeFees !== true) {
    if (fixedRate !== null) throw refused('body.fixedRate needs body.subsidizeFees to be true')
    return null
  }
  checkRate(body)
  const selected = readSelected(body)
  const { maxSubsidizationAmount: capText, subsidizationBps: bps } = body
  return {
    selected: fixedRate === null ? selected : new Set(FEE_COMPONENTS),
    bps: bps === undefined ? null : Number(bps),
    cap: readCap(capText),
    capText: capText ?? null,
    fixedRate,
  }
}

/** The share of each selected component, basis points. */
export const shareOf = ({ bps }: SponsorRequest): bigint => (bps === null ? BPS : BigInt(bps))
