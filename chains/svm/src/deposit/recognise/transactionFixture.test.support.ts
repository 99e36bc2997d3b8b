import { PublicKey } from '@solana/web3.js'
import { encodeBase58 } from '../../address/base58.js'
import type { RpcInstruction, RpcTokenBalance, RpcTransaction } from '../../rpc/wire.js'

export interface FixtureInstruction {
  readonly program: string
  readonly accounts: readonly string[]
  readonly data: Uint8Array
}

export interface FixtureTokens {
  readonly account: string
  readonly mint: string
  readonly owner: string
  readonly program: string
  /** Null: the account did not exist. */
  readonly before: bigint | null
  readonly after: bigint
}

export interface Fixture {
  readonly feePayer: string
  readonly instructions: readonly FixtureInstruction[]
  /** Inner instructions by the top-level one that caused them. */
  readonly inner?: Readonly<Record<number, readonly FixtureInstruction[]>>
  /** What accounts hold before and after. */
  readonly lamports?: Readonly<Record<string, readonly [number, number]>>
  readonly tokens?: readonly FixtureTokens[]
  readonly err?: unknown
  readonly logs?: readonly string[]
  /** Accounts that come from lookup tables. */
  readonly looked?: readonly string[]
}

/** What a node would answer to getTransaction. */
export const transactionOf = (fixture: Fixture): RpcTransaction => {
  const all = [...fixture.instructions, ...Object.values(fixture.inner ?? {}).flat()]
  const named = [fixture.feePayer, ...all.flatMap(({ program, accounts }) => [...accounts, program])]
  const looked = fixture.looked ?? []
  const fixed = [...new Set([...named, ...(fixture.tokens ?? []).map(({ account }) => account)])]
  const keys = [...fixed.filter((key) => !looked.includes(key)), ...looked]
  const compile = ({ program, accounts, data }: FixtureInstruction): RpcInstruction => ({
    programIdIndex: keys.indexOf(program),
    accounts: accounts.map((account) => keys.indexOf(account)),
    data: encodeBase58(data),
  })
  const balance = (item: FixtureTokens, amount: bigint): RpcTokenBalance => ({
    accountIndex: keys.indexOf(item.account),
    mint: item.mint,
    owner: item.owner,
    programId: item.program,
    uiTokenAmount: { amount: amount.toString(), decimals: 6 },
  })
  const tokens = fixture.tokens ?? []
  return {
    slot: 77,
    blockTime: 1_700_000_000,
    meta: {
      err: fixture.err ?? null,
      fee: 5000,
      preBalances: keys.map((key) => fixture.lamports?.[key]?.[0] ?? 0),
      postBalances: keys.map((key) => fixture.lamports?.[key]?.[1] ?? 0),
      preTokenBalances: tokens.flatMap((item) => (item.before === null ? [] : [balance(item, item.before)])),
      postTokenBalances: tokens.map((item) => balance(item, item.after)),
      innerInstructions: Object.entries(fixture.inner ?? {}).map(([index, instructions]) => ({
        index: Number(index),
        instructions: instructions.map(compile),
      })),
      loadedAddresses: { writable: looked, readonly: [] },
      logMessages: fixture.logs ?? [],
    },
    transaction: {
      signatures: ['5'.repeat(88)],
      message: {
        accountKeys: keys.slice(0, keys.length - looked.length),
        instructions: fixture.instructions.map(compile),
      },
    },
  }
}

/** A different address for each name. */
export const addressOf = (name: string): string => new PublicKey(Buffer.from(name.padEnd(32, '.'))).toBase58()

const ASSOCIATED = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')

export const associatedOf = (owner: string, mint: string, program: string): string => {
  const seeds = [owner, program, mint].map((text) => new PublicKey(text).toBuffer())
  return PublicKey.findProgramAddressSync(seeds, ASSOCIATED)[0].toBase58()
}
