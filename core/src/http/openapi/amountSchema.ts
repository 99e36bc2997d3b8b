import { type SchemaOptions, type TString, Type } from '@sinclair/typebox'

/** Keyword of a schema that says its rule in words, for error messages: `body.amount must be ...`. */
export const RULE_KEYWORD = 'x-rule'

/** Marks the VM of a chain: the description lists the known ones, answers may name the VM of any installed package. */
export const VM_KEYWORD = 'x-vm-type'

/** The VM of a chain, such as `evm` (wire.md 0.2). */
export const VmTypeText = (): TString => Type.String({ [VM_KEYWORD]: true })

/** Amount in the smallest unit as decimal text of at most 78 digits; no sign, fraction, exponent or leading zero (faults.md F75). */
export const AmountText = (options: SchemaOptions = {}): TString =>
  Type.String({
    maxLength: 78,
    pattern: '^(0|[1-9][0-9]{0,77})$',
    [RULE_KEYWORD]: 'must be a decimal string of at most 78 digits in the smallest unit of the currency',
    examples: ['1000000'],
    ...options,
  })

/** Amount that may be negative, in answers only (wire.md 0.3). */
export const SignedAmountText = (options: SchemaOptions = {}): TString =>
  Type.String({ maxLength: 79, pattern: '^(0|-?[1-9][0-9]{0,77})$', examples: ['-1000000'], ...options })

/** 32 bytes as `0x` and 64 hex digits of any case: request ids, order ids, EVM hashes. */
export const Hash32 = (options: SchemaOptions = {}): TString =>
  Type.String({
    maxLength: 66,
    pattern: '^0x[0-9a-fA-F]{64}$',
    [RULE_KEYWORD]: 'must be 0x and 64 hex digits',
    ...options,
  })

/** Dollar value as decimal text, possibly negative (wire.md 0.1). */
export const UsdText = (options: SchemaOptions = {}): TString =>
  Type.String({ maxLength: 100, pattern: '^-?[0-9]+(\\.[0-9]+)?$', examples: ['0.041623'], ...options })

/** Address or token id, opaque and VM-native; its form is checked by the chain. */
export const AddressText = (options: SchemaOptions = {}): TString =>
  Type.String({ minLength: 1, maxLength: 256, [RULE_KEYWORD]: 'must be a text of 1 to 256 characters', ...options })

/** Id of a chain as a JSON number. */
export const ChainId = (options: SchemaOptions = {}) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, [RULE_KEYWORD]: 'must be a chain id', ...options })
