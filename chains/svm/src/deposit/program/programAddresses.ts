import { PublicKey } from '@solana/web3.js'

/** Accounts that the depository program owns (chains.md, Depository program). */
export interface ProgramAddresses {
  readonly program: string
  readonly relayDepository: string
  /** Holds what was deposited; its associated accounts hold the tokens. */
  readonly vault: string
}

const find = (program: PublicKey, ...seeds: readonly Uint8Array[]): string =>
  PublicKey.findProgramAddressSync([...seeds], program)[0].toBase58()

const known = new Map<string, ProgramAddresses>()

export const programAddresses = (program: string): ProgramAddresses => {
  const found = known.get(program)
  if (found !== undefined) return found
  const id = new PublicKey(program)
  const addresses = {
    program,
    relayDepository: find(id, Buffer.from('relay_depository')),
    vault: find(id, Buffer.from('vault')),
  }
  known.set(program, addresses)
  return addresses
}

/** Exists once a request of this hash has run. */
export const usedRequestAddress = (program: string, requestHash: Uint8Array): string =>
  find(new PublicKey(program), Buffer.from('used_request'), requestHash)
