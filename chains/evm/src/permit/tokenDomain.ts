import type { Hex } from '@causeway/core'
import { decodeAbiParameters, getAddress, hashStruct, parseAbiParameters } from 'viem/utils'
import { textAsSigned } from '../read/tokenText.js'

/** By which a token tells its signatures from those of others (EIP-712), beside chain and address. */
export interface TokenDomain {
  readonly name: string
  /** Null: its domain has none. */
  readonly version: string | null
}

/** What a token answered, each `0x` where it stopped the call. */
export interface DomainAnswers {
  readonly name: Hex
  readonly version: Hex
  readonly separator: Hex
  /** Of `eip712Domain()` (ERC-5267). */
  readonly described: Hex
}

const described = parseAbiParameters('bytes1, string, string, uint256, address, bytes32, uint256[]')
/** Bits of `fields`: name, version, chain id, contract, salt. */
const [WITH_VERSION, WITHOUT_VERSION] = ['0x0f', '0x0d']
/** Of tokens that name none, by their number. */
const USUAL_VERSIONS = ['1', '2']

/**
 * The domain that the token really checks signatures against: one whose hash is what `DOMAIN_SEPARATOR()` says, or, of a token without it, what
 * `eip712Domain()` says. Null where none of the usual ones is: what was signed for it would move nothing.
 */
export const tokenDomain = (
  answers: DomainAnswers,
  { chainId, token }: { readonly chainId: number; readonly token: string },
): TokenDomain | null => {
  const told = describedDomain(answers.described, chainId, token)
  if (answers.separator.length !== 66) return told
  const matches = (domain: TokenDomain) => separatorOf(domain, chainId, token) === answers.separator.toLowerCase()
  return [...(told === null ? [] : [told]), ...namedDomains(answers)].find(matches) ?? null
}

const namedDomains = (answers: DomainAnswers): readonly TokenDomain[] => {
  const name = textAsSigned(answers.name)
  if (name === null) return []
  const version = textAsSigned(answers.version)
  const versions = version === null ? USUAL_VERSIONS : [version, ...USUAL_VERSIONS]
  return [...versions.map((each) => ({ name, version: each })), { name, version: null }]
}

const describedDomain = (answer: Hex, chainId: number, token: string): TokenDomain | null => {
  try {
    const [fields, name, version, chain, contract] = decodeAbiParameters(described, answer)
    if (chain !== BigInt(chainId) || contract.toLowerCase() !== token) return null
    if (fields === WITH_VERSION) return { name, version }
    return fields === WITHOUT_VERSION ? { name, version: null } : null
  } catch {
    // It throws for whatever is not encoded so.
    return null
  }
}

const separatorOf = ({ name, version }: TokenDomain, chainId: number, token: string): Hex => {
  const domain = { name, ...(version === null ? {} : { version }), chainId, verifyingContract: getAddress(token) }
  const types = [
    { name: 'name', type: 'string' },
    ...(version === null ? [] : [{ name: 'version', type: 'string' }]),
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ]
  return hashStruct({
    data: { ...domain, chainId: BigInt(chainId) },
    primaryType: 'EIP712Domain',
    types: { EIP712Domain: types },
  })
}
