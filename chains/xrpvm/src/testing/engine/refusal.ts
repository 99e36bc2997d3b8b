import { DEFAULT_DEFINITIONS } from 'ripple-binary-codec'

/** Why a transaction is not applied, or does nothing but cost its fee (`tec`). */
export class Refusal extends Error {
  constructor(readonly code: string) {
    super(code)
  }
}

/** @throws Refusal always */
export const refuse = (code: string): never => {
  throw new Refusal(code)
}

/** The number that rippled gives a result beside its name. */
export const resultNumber = (code: string): number =>
  Number(Reflect.get(Object(Reflect.get(DEFAULT_DEFINITIONS.transactionResult, code)), 'ordinal') ?? -399)

/** Whether it stands in a ledger. */
export const isIncluded = (code: string): boolean => code === 'tesSUCCESS' || code.startsWith('tec')
