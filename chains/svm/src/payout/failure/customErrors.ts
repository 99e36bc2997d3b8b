/** Names of the numbers with which programs fail, by program; the words are for strangers. */
type ErrorTable = readonly (readonly [name: string, words: string])[]

const SYSTEM: ErrorTable = [
  ['AccountAlreadyInUse', 'the account exists already'],
  ['ResultWithNegativeLamports', 'the account does not hold enough lamports'],
  ['InvalidProgramId', 'the program id is not allowed'],
  ['InvalidAccountDataLength', 'the account cannot have this size'],
  ['MaxSeedLengthExceeded', 'a seed is too long'],
  ['AddressWithSeedMismatch', 'the address does not belong to its seed'],
]

const TOKEN: ErrorTable = [
  ['NotRentExempt', 'the account does not hold its rent'],
  ['InsufficientFunds', 'the token account does not hold enough'],
  ['InvalidMint', 'the mint is invalid'],
  ['MintMismatch', 'the account is of another token'],
  ['OwnerMismatch', 'the account has another owner'],
  ['FixedSupply', 'the supply is fixed'],
  ['AlreadyInUse', 'the account is in use already'],
  ['InvalidNumberOfProvidedSigners', 'signers are missing'],
  ['InvalidNumberOfRequiredSigners', 'the number of signers is invalid'],
  ['UninitializedState', 'the account is not initialised'],
  ['NativeNotSupported', 'wrapped SOL cannot do this'],
  ['NonNativeHasBalance', 'the account still holds tokens'],
  ['InvalidInstruction', 'the instruction is invalid'],
  ['InvalidState', 'the account is in a state that does not allow it'],
  ['Overflow', 'the amount is too large'],
  ['AuthorityTypeNotSupported', 'there is no such authority'],
  ['MintCannotFreeze', 'the token cannot be frozen'],
  ['AccountFrozen', 'the token account is frozen'],
  ['MintDecimalsMismatch', 'the token has other decimals'],
  ['NonNativeNotSupported', 'only wrapped SOL can do this'],
]

/** Token-2022 goes on where the first token program ends; the ones a transfer can meet. */
const TOKEN_2022 = new Map<number, readonly [string, string]>([
  ...TOKEN.map((entry, code) => [code, entry] as const),
  [27, ['ImmutableOwner', 'the owner of the account cannot be changed']],
  [30, ['FeeMismatch', 'the fee of the token is another one']],
  [36, ['NoMemo', 'the recipient accepts transfers with a memo only']],
  [37, ['NonTransferable', 'the token cannot be transferred']],
  [43, ['CpiGuardTransferBlocked', 'the account does not let programs transfer']],
  [67, ['MintPaused', 'the issuer has paused the token']],
])

const ASSOCIATED: ErrorTable = [['InvalidOwner', 'the associated token account belongs to somebody else']]

/** Anchor codes from 6000 on (chains.md, Depository program). */
const DEPOSITORY: ErrorTable = [
  ['TransferRequestAlreadyUsed', 'the request has run already'],
  ['InvalidMint', 'the mint is invalid'],
  ['InvalidTokenProgram', 'the token program is invalid'],
  ['Unauthorized', 'the caller may not do this'],
  ['AllocatorSignerMismatch', 'somebody else than the allocator signed'],
  ['MessageMismatch', 'the allocator signed something else'],
  ['MalformedEd25519Data', 'the proof of the signature is malformed'],
  ['MissingSignature', 'the proof of the signature is missing'],
  ['SignatureExpired', 'the request has expired'],
  ['InvalidRecipient', 'the recipient is another one'],
  ['InvalidVaultTokenAccount', 'the token account of the vault is another one'],
  ['InsufficientVaultBalance', 'the vault does not hold enough'],
  ['InvalidDomainSeparator', 'the request is for another program'],
  ['DomainSeparatorAlreadySet', 'the domain is set already'],
  ['InvalidVaultAddress', 'the vault is another one'],
  ['AccountWriteFailed', 'an account could not be written'],
  ['InvalidRelayDepositoryPDA', 'the state account is another one'],
  ['MalformedAccount', 'an account is malformed'],
  ['InvalidAccountDiscriminator', 'an account is of another kind'],
  ['ReentrancyDetected', 'the program was called by itself'],
  ['InvalidAccountSize', 'an account has another size'],
]

const ANCHOR_FIRST = 6000

export interface CustomError {
  readonly name: string
  readonly words: string
}

/** What a program's own error number means; null where nobody knows. `depository` is the depository program, if there is one. */
export const customErrorOf = (program: string, code: number, depository: string | null): CustomError | null => {
  const entry = program === depository ? DEPOSITORY[code - ANCHOR_FIRST] : entryOf(program, code)
  return entry === undefined ? null : { name: entry[0], words: entry[1] }
}

const entryOf = (program: string, code: number): readonly [string, string] | undefined => {
  switch (program) {
    case '11111111111111111111111111111111':
      return SYSTEM[code]
    case 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA':
      return TOKEN[code]
    case 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb':
      return TOKEN_2022.get(code)
    case 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL':
      return ASSOCIATED[code]
    default:
      return undefined
  }
}
